/** Plots the sixty days of test/support: which records rise, sink and surface, and when. */
import { mkdir, writeFile } from 'node:fs/promises'
import { type Panel, plotSvg } from '../support/data/plot.ts'
import { type Day, kinds, liveSixtyDays } from '../support/data/sixty-days.ts'

const file = new URL('../../docs/plots/sixty-days.svg', import.meta.url)

export async function plotSixtyDays(): Promise<string> {
  const { days } = await liveSixtyDays()
  await mkdir(new URL('.', file), { recursive: true })
  await writeFile(file, plotSvg('Sixty days of one store', [confidence(days), places(days), surfacing(days)]))
  return `docs/plots/sixty-days.svg: ${days.length} days`
}

const named = { right: 'always acted on', wrong: 'always contradicted', plain: 'without outcome' } as const
const x = { label: 'day', ticks: [0, 10, 20, 30, 40, 50, 60] }

function confidence(days: readonly Day[]): Panel {
  return {
    title: 'Confidence',
    x,
    y: { label: 'confidence', ticks: [0, 0.25, 0.5, 0.75, 1] },
    series: kinds.map((kind) => ({
      name: named[kind],
      points: [[0, 0.5], ...days.map((one) => [one.day, one.confidence[kind]] as const)],
    })),
  }
}

function places(days: readonly Day[]): Panel {
  return {
    title: 'Place among three that say the same',
    x,
    y: { label: 'place in the package', ticks: [1, 2, 3, 4], reversed: true },
    series: kinds.map((kind) => ({
      name: named[kind],
      points: days.map((one) => [one.day, one.places[kind] === -1 ? null : one.places[kind] + 1] as const),
    })),
  }
}

/** Days since each of the two was last in a package: it must fall when the record is due, and only then. */
function surfacing(days: readonly Day[]): Panel {
  const sinceShown = (id: string) => {
    let last = 0
    return days.map((one) => {
      const since = one.day - last
      if (one.surfaced.includes(id)) last = one.day
      return [one.day, since] as const
    })
  }
  return {
    title: 'Days since it surfaced',
    x,
    y: { label: 'days since it last surfaced', ticks: [0, 1, 2, 3, 4, 5, 6, 7] },
    series: [
      { name: 'due every seventh day', points: [[0, 0], ...sinceShown('weekly')] },
      { name: 'presses after three days', points: [[0, 0], ...sinceShown('pressing')], dashed: true },
    ],
  }
}
