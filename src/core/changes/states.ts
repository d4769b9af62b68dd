/** States that exclude each other, and how a clause names one. Folded, in the languages of the time reader. */
import type { Token } from '../text/tokenise/tokenise.ts'

export interface State {
  /** As written, to leave it out of the words that name a matter. */
  readonly word: string
  /** The first of the words for the same state, in any language. */
  readonly name: string
  /** States of one group exclude each other. */
  readonly group: number
}

/** A group a line. Words of one state are joined by a bar. */
const groups = [
  'on|enabled|enable|activated|an off|disabled|disable|deactivated|aus',
  'active inactive paused',
  'open|offen|ouvert|ouverte|abierto|abierta|aperto|aperta|aberto|aberta closed|geschlossen|ferme|fermee|cerrado|cerrada|chiuso|chiusa|fechado|fechada|gesloten|dicht reopened paid unpaid overdue draft clear ordered processed shipped|sent delivered done todo blocked review progress merged finished pending ready resolved approved|accepted rejected granted',
  'single|ledig|celibataire|soltero|soltera|solteiro|solteira|celibe|nubile|ongehuwd|vrijgezel married|verheiratet|marie|mariee|casado|casada|sposato|sposata|getrouwd engaged|verlobt|fiance|fiancee|verloofd divorced|geschieden|divorce|divorcee|divorciado|divorciada|divorziato|divorziata|gescheiden separated|getrennt|separe|separee|separado|separada widowed|verwitwet|veuf|veuve|viudo|viuda|viuvo|viuva|vedovo|vedova dating|couple|together',
  'pregnant|schwanger|enceinte|embarazada|incinta|gravida|zwanger birth miscarriage',
  'alive dead',
  'full empty',
  'available unavailable',
  'optional mandatory|required',
  'vacant filled',
  'employed|job unemployed retired',
  'vegetarian|vegetarisch|vegetarier|vegetarierin|vegetarien|vegetarienne|vegetariano|vegetariana vegan meat|fleisch|viande|carne|vlees',
  'allowed forbidden|banned',
  'broken|kaputt|defekt|panne|casse|cassee|roto|rota|rotto|rotta|kapot repaired|fixed|repariert|repare|reparee|arreglado|arreglada|reparado|reparada|riparato|riparata|gemaakt|gerepareerd',
  'sick|ill|krank|malade|enfermo|enferma|malato|malata|doente|ziek healthy|recovered|gesund|gueri|guerie|sano|sana|guarito|guarita|saudavel|gezond',
  'online offline',
  'hurts|hurt|sore fine|healed',
  'fails|failing|failed passes|passing|passed',
  'indoor outdoor|outside',
  'valid|warranty expired|abgelaufen',
  'delayed|late punctual',
  'away present',
  'public private',
  'red|rot|rood|rouge|rojo|roja|rosso|rossa|vermelho|vermelha green|grun|groen|vert|verte|verde blue|blau|blauw|bleu|bleue|azul|blu yellow|gelb|geel|amarillo|amarilla|giallo|gialla|amarelo|amarela black|schwarz|zwart|noir|noire|negro|negra|nero|nera|preto|preta white|weiss|blanc|blanche|blanco|blanca|bianco|bianca|branco|branca grey|gray|grau|gris brown pink purple orange turquoise beige silver',
]

type States = ReadonlyMap<string, Omit<State, 'word'>>

export function statesByWord(): States {
  return new Map(
    groups.flatMap((line, group) =>
      line.split(' ').flatMap((state) => {
        const words = state.split('|')
        return words.map((word) => [word, { name: words[0]!, group }] as const)
      }),
    ),
  )
}

/** The first state that is named; null for none. */
export function stateOf(tokens: readonly Token[], states: States): State | null {
  for (const [i, { word }] of tokens.entries()) {
    const state = states.get(word)
    const next = tokens[i + 1]?.word ?? ''
    if (state === undefined || (word === 'on' && !afterOn.has(next)) || (lastOnly.has(word) && next !== '')) continue
    return { word, ...state }
  }
  const text = tokens.map(({ word }) => word).join(' ')
  const [, word] = statePhrases.find(([phrase]) => phrase.test(text)) ?? []
  return word === undefined ? null : { word, ...states.get(word)! }
}

const statePhrases = [
  [
    /\b(?:works?|runs?|running|working) again\b|(?:funktioniert|geht|lauft|werkt) (?:wieder|weer)\b|\b(?:marche|fonctionne|funciona|funziona) (?:a |de |di |otra )?(?:nouveau|nuevo|nuovo|novo|vez)\b|\bremarche\b/,
    'repaired',
  ],
  [/\b(?:have|has|ve|s) (?:got )?an? (?:new )?(?:boyfriend|girlfriend|partner)\b/, 'together'],
  [/\b(?:split|broke|broken) up\b/, 'separated'],
  [
    /\b(?:se caso|se casaron|s est mariee?|si e sposat[oa]|casou se|got married|hat geheiratet|haben geheiratet)\b/,
    'married',
  ],
  [/\bworks? (?:at|as|for)\b/, 'employed'],
  [/\b(?:is|are|was|were|s) (?:back )?up(?: again| and running|$)/, 'online'],
  [/\b(?:is|are|was|were|s) (?:down|offline)(?: again|$)/, 'offline'],
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
