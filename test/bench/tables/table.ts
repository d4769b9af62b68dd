/** Prints the result as Markdown, for pasting: machine, versions and date first, quality next to speed. */
import { ours } from '../measure-ours.ts'
import { peerTable } from '../page/peer-table.ts'
import type { BenchResult, Percentiles, QualityResult, Row, SizeResult } from '../results.ts'

export function toMarkdown(result: BenchResult): string {
  const { machine, versions, date } = result
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    `${date.slice(0, 10)} · ${machine.cpu}, ${machine.cores} cores, load ${machine.loadBefore.toFixed(1)} before and ${machine.loadAfter.toFixed(1)} after · ${named.join(', ')}`,
    'Raw timings in ms, p50 / p95. Cold: first pass after opening or building; warm: second pass.',
    ...result.sizes.map((size) => sizeTable(size, result.quality)),
    ...result.quality.map(qualityTable),
  ].join('\n\n')
}

function sizeTable(size: SizeResult, quality: readonly QualityResult[]): string {
  const heading = `### ${count(size.records)} records × 384${size.generated ? ', generated text' : ''}`
  return [heading, storeLines(size), peerLines(size), recallTable(size, quality), changeTable(size)]
    .filter((part) => part !== '')
    .join('\n\n')
}

function storeLines({ put, store }: SizeResult): string {
  const lines = put.map(
    ({ batchSize, records, recordsPerSecond, batch }) =>
      `- put, batches of ${count(batchSize)} (${count(records)} records): **${count(recordsPerSecond)} records/s**, ${pair(batch, 0)} ms a batch`,
  )
  if (store === null) return lines.join('\n')
  const { opens, memoryBytes, heapBytes, diskBytes, contentBytes } = store
  if (opens.length > 0) {
    const list = (pick: (open: (typeof opens)[number]) => number) =>
      opens.map((open) => pick(open).toFixed(0)).join(', ')
    lines.push(
      `- open in a fresh browser, file cache warm: ${list((open) => open.openMs)} ms; first hybrid answer after **${list((open) => open.answerMs)} ms**`,
    )
  }
  if (memoryBytes !== null) {
    const { vectors, postings, sqlite } = memoryBytes
    lines.push(
      `- memory: vectors ${megabytes(vectors)}, postings ${megabytes(postings)}, SQLite ${megabytes(sqlite)}${heapBytes === null ? '' : `; JavaScript heaps ${megabytes(heapBytes)}`}`,
    )
  }
  const ratio = (diskBytes / contentBytes).toFixed(2)
  lines.push(`- disk: ${megabytes(diskBytes)}, ${ratio} × (texts + float32 vectors)`)
  return lines.join('\n')
}

function peerLines({ peers }: SizeResult): string {
  return peers
    .map(
      ({ peer, buildMs, heapBytes, wasmBytes, failures }) =>
        `- ${labelOf(peer)}: ${buildMs === null ? 'not built' : `built in ${count(buildMs)} ms`}, in memory only${heapBytes === null ? '' : `; JavaScript heaps ${megabytes(heapBytes)}`}${wasmBytes === null ? '' : `, WebAssembly ${megabytes(wasmBytes)}`}${failures.map((failure) => `; FAILED ${failure}`).join('')}`,
    )
    .join('\n')
}

function recallTable({ rows }: SizeResult, quality: readonly QualityResult[]): string {
  if (rows.length === 0) return ''
  const lines = rows.map((row) => {
    const name = `${labelOf(row.contender)}${row.ef === undefined ? '' : `, ef ${row.ef}`}, ${row.mode}${row.scope === null ? '' : `, tag of ${count(row.scope)}`}`
    return `| ${name} | ${row.pass} | ${pair(row.worker, 2)} | ${pair(row.page, 2)} | ${pair(row.transport, 2)} | ${row.questions} | ${row.recall10?.toFixed(3) ?? ''} | ${ndcgCell(row, quality)} | ${ratioCell(row, rows)} |`
  })
  return [
    `| | pass | in the worker | page to page | of it transport | questions | recall@10 | nDCG@10${quality.length === 0 ? '' : `, ${quality.map(({ set }) => set.replace('judged-', '')).join(' · ')}`} | ours ÷ theirs, p50 · p95 |`,
    `|---|---|${'---:|'.repeat(7)}`,
    ...lines,
  ].join('\n')
}

/** Of the same contender and mode on the judged sets; scopes exclude most judged records. */
function ndcgCell({ contender, mode, scope }: Row, quality: readonly QualityResult[]): string {
  if (scope !== null) return ''
  const found = quality.map(({ rows }) => rows.find((row) => row.contender === contender && row.mode === mode)?.ndcg)
  return found.every((ndcg) => ndcg === undefined) ? '' : found.map((ndcg) => ndcg?.toFixed(3) ?? '–').join(' · ')
}

function changeTable({ changes }: SizeResult): string {
  if (changes.length === 0) return ''
  const lines = changes.map(
    ({ contender, verb, batchSize, records, recordsPerSecond, batch }) =>
      `| ${labelOf(contender)}${contender === ours ? ', stored' : ''} | ${verb === 'remove' ? 'delete' : verb} | ${count(records)} by ${count(batchSize)} | ${count(recordsPerSecond)} | ${pair(batch, 1)} |`,
  )
  return ['| | | records | records/s | ms a batch |', '|---|---|---:|---:|---:|', ...lines].join('\n')
}

/** Against Scrubjay's row of the same mode, scope and pass, inside the worker. */
function ratioCell(row: Row, rows: readonly Row[]): string {
  if (row.contender === ours) return ''
  const own = rows.find(
    ({ contender, mode, scope, pass }) =>
      contender === ours && mode === row.mode && scope === row.scope && pass === row.pass,
  )
  // Scrubjay answers scopes in hybrid mode, so a peer with only words is compared with an answer that does more.
  const nearest = own ?? rows.find((r) => r.contender === ours && r.scope === row.scope && r.pass === row.pass)
  if (nearest === undefined) return ''
  const ratio = (pick: (p: Percentiles) => number) => toRatio(pick(nearest.worker) / pick(row.worker))
  return `${ratio((p) => p.p50)} · ${ratio((p) => p.p95)}${own === undefined ? ' (our hybrid)' : ''}`
}

function qualityTable({ set, records, questions, rows }: QualityResult): string {
  return [
    `nDCG@10 on ${set.replace('judged-', '')}: ${count(records)} records, ${count(questions)} judged questions, one text field, MiniLM vectors`,
    [
      '| | lexical | vector | hybrid |',
      '|---|---:|---:|---:|',
      ...[...new Set(rows.map((row) => row.contender))].map((contender) => {
        const cells = (['lexical', 'vector', 'hybrid'] as const).map(
          (mode) => rows.find((row) => row.contender === contender && row.mode === mode)?.ndcg.toFixed(3) ?? '–',
        )
        return `| ${labelOf(contender)} | ${cells.join(' | ')} |`
      }),
    ].join('\n'),
  ].join('\n\n')
}

export function labelOf(contender: string): string {
  if (contender === ours) return 'Scrubjay'
  return Object.hasOwn(peerTable, contender) ? peerTable[contender as keyof typeof peerTable].label : contender
}

function pair({ p50, p95 }: Percentiles, digits: number): string {
  return `${p50.toFixed(digits)} / ${p95.toFixed(digits)}`
}

export function toRatio(ratio: number): string {
  return ratio < 0.095 ? ratio.toFixed(3) : ratio.toFixed(2)
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-GB')
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`
}
