/**
 * Turns a captured run (demo/samples/*.txt) into a record. The file has a head of `key: value` lines, an empty line, then
 * the printed output. Keys: title, instruction, command, exit, captured (ISO), files, tags, project, reasons
 * (`code weight`), risks, superseded-by (an id), pressure (per day, until resolved), every (`days amplitude`: a cycle).
 */

/**
 * @param {import('./files.mjs').SampleFile} file
 * @returns {readonly import('scrubjay').RecordInput[]}
 */
export function runRecords({ path, text }) {
  const end = text.indexOf('\n\n')
  const head = new Map(
    text
      .slice(0, end)
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const list = (/** @type {string} */ key) => (head.get(key) ?? '').split(',').flatMap((part) => part.trim() || [])
  const successor = head.get('superseded-by')
  const capturedMs = Date.parse(head.get('captured') ?? '2026-01-01T00:00:00Z')
  return [
    {
      id: path,
      kind: 'run',
      bank: 'runs',
      project: head.get('project') ?? 'test',
      title: head.get('title') ?? path,
      instruction: head.get('instruction') ?? null,
      command: head.get('command') ?? null,
      exitCode: Number(head.get('exit') ?? 0),
      body: text.slice(end).trim(),
      files: list('files').map((name) => ({ path: name })),
      tags: list('tags'),
      reasons: list('reasons').map((row) => {
        const [code = '', weight = '1'] = row.split(' ')
        return { code, weight: Number(weight) }
      }),
      risks: list('risks').map((flag) => ({ flag })),
      ...(successor === undefined ? {} : { status: 'superseded', supersededBy: successor }),
      source: 'tool_result',
      authority: 'tool_result',
      pressureRate: Number(head.get('pressure') ?? 0),
      cycles: list('every').map((cycle) => {
        const [days = '1', amplitude = '1'] = cycle.split(' ')
        return {
          periodSeconds: Number(days) * 86_400,
          amplitude: Number(amplitude),
          phaseSeconds: capturedMs / 1000,
        }
      }),
      createdAt: capturedMs,
      // Otherwise pressure would grow from the day on which the sample was loaded.
      updatedAt: capturedMs,
    },
  ]
}
