/** States that exclude each other, and how a clause names one. Folded. */
import type { Token } from '../text/tokenise/tokenise.ts'

export interface State {
  readonly word: string
  /** Words of one group exclude each other. */
  readonly group: number
}

export const states = [
  'on off',
  'enabled disabled',
  'active inactive paused',
  'open closed reopened paid unpaid overdue done todo blocked review progress merged finished pending ready resolved',
  'single married engaged divorced separated widowed dating couple together',
  'ledig verheiratet geschieden verlobt verwitwet getrennt',
  'celibataire marie mariee divorce divorcee fiance fiancee veuf veuve separe separee',
  'soltero soltera solteiro solteira casado casada divorciado divorciada viudo viuda viuvo viuva separado separada',
  'celibe nubile sposato sposata divorziato divorziata vedovo vedova',
  'ongehuwd vrijgezel getrouwd gescheiden verloofd',
  'pregnant birth miscarriage schwanger enceinte embarazada incinta gravida zwanger',
  'alive dead',
  'full empty',
  'available unavailable',
  'optional mandatory required',
  'vacant filled',
  'employed unemployed retired job',
  'vegetarian vegan meat',
  'allowed forbidden banned',
  'broken fixed repaired',
  'panne casse cassee repare reparee',
  'kaputt defekt repariert',
  'roto rota arreglado arreglada reparado reparada',
  'rotto rotta riparato riparata',
  'kapot gemaakt gerepareerd',
  'sick ill healthy recovered',
  'krank gesund',
  'malade gueri guerie',
  'enfermo enferma sano sana',
  'malato malata guarito guarita',
  'doente saudavel',
  'ziek gezond',
  'rot blau grun gelb schwarz weiss grau rood blauw groen geel zwart',
  'rojo roja azul verde amarillo amarilla negro negra blanco blanca gris rouge bleu bleue vert verte noir noire blanc blanche rosso rossa blu giallo gialla nero nera bianco bianca vermelho vermelha amarelo amarela preto preta branco branca',
  'online offline',
  'delayed late punctual',
  'away present',
  'an aus',
  'public private',
  'red green blue yellow black white grey gray brown pink purple orange turquoise beige silver',
  'offen geschlossen',
  'ouvert ferme',
  'abierto cerrado',
]

/** The first state that is named; null for none. `groups`: of each word of state, the number of its group. */
export function stateOf(tokens: readonly Token[], groups: ReadonlyMap<string, number>): State | null {
  for (const [i, { word }] of tokens.entries()) {
    const group = groups.get(word)
    const next = tokens[i + 1]?.word ?? ''
    if (group === undefined || (word === 'on' && !afterOn.has(next)) || (lastOnly.has(word) && next !== '')) continue
    return { word, group }
  }
  const text = tokens.map(({ word }) => word).join(' ')
  const [, word] = statePhrases.find(([phrase]) => phrase.test(text)) ?? []
  return word === undefined ? null : { word, group: groups.get(word)! }
}

const statePhrases = [
  [/\b(?:works?|runs?|running|working) again\b/, 'repaired'],
  [/\b(?:split|broke|broken) up\b/, 'separated'],
  [/\bout of order\b/, 'broken'],
  [/\bon time\b/, 'punctual'],
  [/\bon (?:vacation|holiday|leave|parental leave)\b/, 'away'],
  [/\bback from\b/, 'present'],
  [/\btuvo una? (?:nino|nina|bebe|hijo|hija)\b|\bbaby bekommen\b|\bzur welt gebracht\b/, 'birth'],
  [/\bhad (?:her|his|the|our|an?) baby\b/, 'birth'],
] as const

/** German: elsewhere they are prepositions. */
const lastOnly: ReadonlySet<string> = /* @__PURE__ */ new Set(['an', 'aus'])

/** What follows "on" where it is a state. */
const afterOn: ReadonlySet<string> = /* @__PURE__ */ new Set(['', 'by', 'again', 'now', 'for', 'in', 'on'])
