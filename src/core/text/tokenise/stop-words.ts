/**
 * Three lists of common English words. Policies choose their weights. Measurements depend on the lists: do not change the words.
 * Folded, not stemmed.
 */

/** Articles, pronouns, question words and the commonest prepositions. */
export const questionWords: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'a an the is are was were do does did what when where who whom which how why in on at of to for from by with and or ' +
    'it its this that be been have has had will would can could should their his her he she they them i you your my we ' +
    'our us s as about'
  ).split(' '),
)

/** Remnants of contractions (don't, we'll) after tokenising, with the forms of "to be" in them. */
export const contractionRemnants: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'am been being did didn doesn doing don d ll m re s t ve isn aren wasn weren hasn haven hadn couldn shouldn wouldn ' +
    'won im'
  ).split(' '),
)

/** Contractions by how they are written without the apostrophe, each as its two words. Left out are those that are other words then (were, well, ill). */
export const contractions: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  (
    'don t,can t,won t,isn t,aren t,ain t,wasn t,weren t,hasn t,haven t,hadn t,doesn t,didn t,couldn t,shouldn t,wouldn t,mustn t,needn t,' +
    'i m,i ve,you re,you ve,you ll,you d,he s,she s,that s,what s,who s,where s,there s,here s,let s,they re,they ve,they ll,they d,we ve,it ll'
  )
    .split(',')
    .map((words) => [words.replace(' ', ''), words]),
)

/** The long list: words too common to count fully. */
export const commonWords: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'a about above after again all also am an and any are aren as at be because been before being between both but by ' +
    'can cannot could couldn d did didn do does doesn doing don during each else etc for from further get got had hadn ' +
    'has hasn have haven having he her here hers herself him himself his how however i if in into is isn it its itself ' +
    'just ll m may me might more most must my myself no nor not now of off on once one only or other ought our ours ' +
    'ourselves out over own per please re s same shall she should shouldn so some such t than that the their theirs ' +
    'them themselves then there these they this those through thus to too u under until up upon us ve very was wasn we ' +
    'weren were what whatever when where whether which while who whom whose why will with within without won would ' +
    'wouldn y yes yet you your yours yourself'
  ).split(' '),
)

/** The words of a store's languages that name no subject, folded. */
export interface StopWords {
  /** Question words, and remnants of contractions. */
  readonly question: ReadonlySet<string>
  /** Words too common to count fully. */
  readonly common: ReadonlySet<string>
}

export const englishStopWords: StopWords = /* @__PURE__ */ (() => ({
  question: new Set([...questionWords, ...contractionRemnants, ...contractions.keys()]),
  common: commonWords,
}))()
