/**
 * Maps field names of other libraries (MiniSearch, Orama, Chroma, mem0, LangChain, …) to the names here. Errors suggest the
 * name here, so that a person or a coding agent finds the field at the first try; no input is renamed silently.
 * A key is a name ("Use body."), or a whole sentence that ends in a full stop.
 */
export type NamedPlace = 'record' | 'query' | 'scope' | 'time' | 'filter' | 'request' | 'retention' | 'policy'

type Names = Readonly<Record<string, string>>

/** Name here → names elsewhere, in lower case, without `_` and `-`. */
function table(names: Names): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(names).flatMap(([here, elsewhere]) => elsewhere.split(' ').map((name) => [name, here] as const)),
  )
}

const options = 'Options are the next argument: recall({ text }, { signal }).'
const order = 'Answers come in order of score. list() gives records in order of a time or of titles.'

const commonNames: Names = {
  text: 'q query question search searchtext term terms prompt input content',
  scope: 'where filter filters namespace collection userid user',
  vector: 'embedding embeddings queryembedding queryembeddings queryvector vectors',
  minEvidence: 'threshold minscore scorethreshold similarity minsimilarity relevance',
  policy: 'mode strategy algorithm boost weights ranking hybrid alpha',
  'scope: { tags: { any: […] } }': 'tag tags',
  'scope: { time: { after, before } }': 'date dates time timerange after before since until',
  'scope: { metadata: { … } }': 'metadata',
  'scope: { project }': 'project',
  'scope: { kind }': 'kind type',
  'scope: { session }': 'session sessionid thread threadid conversation conversationid',
  exclude: 'excludeids without not',
  [options]: 'signal',
}

export const namesElsewhere: Readonly<Record<NamedPlace, ReadonlyMap<string, string>>> = {
  record: table({
    body: 'text content contents message value document pagecontent data string markdown',
    title: 'name heading subject headline label',
    summary: 'description abstract excerpt',
    kind: 'type category class',
    tags: 'tag labels keywords keyword hashtags',
    createdAt: 'created timestamp date time createdtime creationdate ts',
    updatedAt: 'updated modified modifiedat lastmodified updatedtime',
    vectors: 'vector embedding embeddings',
    project: 'namespace collection workspace space folder',
    session: 'sessionid thread threadid conversation conversationid chat chatid runid',
    agent: 'agentid assistant',
    position: 'index order turn turnindex sequence seq',
    source: 'url uri link origin href',
    files: 'file path paths filename filepath',
    id: 'uid uuid key documentid docid recordid',
    importance: 'priority weight score boost salience',
    expiresAt: 'ttl expires expiry expiration expireat',
    metadata: 'meta properties attributes payload fields extra',
    'metadata, for example metadata: { speaker }': 'role speaker author user userid sender',
    [options]: 'signal atomic',
  }),
  query: table({
    ...commonNames,
    limit: 'topk top k n size count take maxresults max first numresults nresults results',
    offset: 'skip page from start cursor',
    typos: 'fuzzy fuzziness tolerance typotolerance',
    select: 'include includemetadata fields returning projection withpayload includevectors returnfields',
    [order]: 'sort sortby order orderby',
    'Matched words are marked in hits[].marks and hits[].snippet.': 'highlight highlights snippet',
  }),
  request: table({
    ...commonNames,
    maxItems: 'limit topk k n maxresults size count maxrecords',
    maxTokens: 'tokens budget tokenbudget maxtoken tokenlimit contextlength',
    format: 'template output outputformat type',
    suppress: 'exclude shown seen',
  }),
  scope: table({
    tags: 'tag labels keywords',
    time: 'after before since until date createdat created timerange from to',
    kind: 'type category',
    ids: 'id',
    project: 'namespace collection workspace',
    session: 'sessionid thread threadid conversation conversationid runid',
    agent: 'agentid',
    metadata: 'meta properties attributes payload user userid',
    'Give its conditions here, for example { project, kind }.': 'where filter filters scope',
    [options]: 'signal',
  }),
  time: table({
    after: 'from since gte gt start min',
    before: 'to until lt lte end max',
    of: 'field by',
  }),
  filter: table({
    cursor: 'offset skip page after start nextcursor',
    limit: 'topk k n size count take pagesize max first',
    'Give its conditions next to limit, for example list({ project, limit }).': 'scope where filter filters',
    'order: { by, direction }': 'sort sortby orderby direction',
    text: 'q query search searchtext term words content',
    time: 'since until before date createdat created timerange',
    kind: 'type category',
    [options]: 'signal',
  }),
  retention: table({
    maxAgeDays: 'days maxdays maxage ttl ttldays age expireafter',
    maxIdleDays: 'idledays idle maxidle',
    maxRecords: 'max limit count maxcount capacity size keep',
    exemptTags: 'tags exempt pinned except exclude',
    per: 'scope by group groupby',
  }),
  policy: table({ balanced: 'hybrid default auto mixed rrf bm25 lexical keyword semantic vector', popoto: 'memory' }),
}
