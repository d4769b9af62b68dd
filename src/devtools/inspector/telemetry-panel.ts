/** Shows the counts of the page's own recalls. */
import type { Telemetry } from '../report/telemetry.ts'
import { drawHistogram } from './draw-histogram.ts'
import { element } from './element.ts'
import type { Panel } from './query-panel.ts'

export function openTelemetryPanel(telemetry: Telemetry): Panel {
  const root = element('div')
  const draw = () => {
    const summary = telemetry.summary()
    const facts: readonly (readonly [string, string])[] = [
      ['recalls', `${summary.recalls}`],
      ['abstained', percent(summary.abstentionRate)],
      ['words and vectors agree', percent(summary.armAgreement)],
      ['acknowledged as useful', `${percent(summary.hitRate)} of ${summary.acknowledged}`],
    ]
    root.replaceChildren(
      element('dl', {}, ...facts.flatMap(([name, fact]) => [element('dt', {}, name), element('dd', {}, fact)])),
      drawHistogram(summary),
      element('p', { class: 'facts' }, 'Counted only in this page, since it was opened.'),
    )
  }
  draw()
  const end = telemetry.subscribe(draw)
  return { root, end }
}

function percent(share: number | null): string {
  return share === null ? 'nothing yet' : `${Math.round(share * 100)} %`
}
