/**
 * Reads whether a text states a standing request: an instruction that holds from now on ("always show code with types"), or a preference
 * ("I don't eat fish"). Reads cues of seven languages, not meaning. A long text is left out: it only mentions such words. Takes linear time.
 */
import type { StandingKind } from '../model/query.ts'
import { chatTuning } from '../similarity/chat-tuning.ts'

type Texts = Readonly<Record<'title' | 'summary' | 'body' | 'instruction', string | null>>

/** Null for most records. If a text states both, the instruction counts. */
export function standingOf({ title, summary, body, instruction }: Texts): StandingKind | null {
  const given = [title, summary, body, instruction].filter((part) => part !== null)
  if (given.reduce((sum, part) => sum + part.length, 0) > chatTuning.maxStandingCharacters) return null
  const text = given.join('\n')
  if (instructs.test(text)) return 'instruction'
  return prefers.test(text) ? 'preference' : null
}

const phrases = (list: readonly string[]) =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${list.join('|').replaceAll(' ', String.raw`\s`)})(?![\p{L}\p{N}])`, 'iu')

// "I always …" describes a habit; "always" without "I" is an instruction.
const instructs = /* @__PURE__ */ phrases([
  String.raw`(?<!(?:i|we|you|he|she|it|they|who|that|is|are|was|were|['’](?:s|m|re|ve|d|ll)|have|has|had) )always`,
  'from now on|going forward|in (?:the )?future,? please',
  String.raw`please (?:make sure|ensure|remember|always|never|do not|don['’]t)|make sure (?:to|that|you)`,
  'whenever i|every time i|each time i',
  'never (?:use|include|suggest|give|mention|show|write|send|add|ask|call|recommend|put)',
  'immer wenn ich|jedes mal,? wenn ich|ab jetzt|ab sofort|von nun an|künftig|in zukunft|bitte (?:immer|nie|niemals|stets)',
  "désormais|dorénavant|à partir de maintenant|à l[’']avenir|chaque fois que je|(?:réponds|écris|utilise) toujours",
  'de ahora en adelante|a partir de ahora|cada vez que yo|(?:responde|escribe|usa) siempre|siempre (?:responde|escribe|usa)',
  'de agora em diante|a partir de agora|sempre que eu|(?:responda|escreva|use) sempre|sempre (?:responda|escreva|use)',
  "d[’']ora in poi|ogni volta che io|(?:rispondi|scrivi|usa) sempre",
  'vanaf nu|voortaan|elke keer dat ik|(?:antwoord|schrijf|gebruik) altijd',
])

const prefers = /* @__PURE__ */ phrases([
  String.raw`i(?:['’]d| would)? (?:prefer|rather|much prefer|really prefer)|my preference is|my favou?rite`,
  String.raw`i (?:do not|don['’]t|never|can['’]t|cannot) (?:eat|drink|like|want|stand|tolerate|wear)`,
  String.raw`i(?:['’]m| am) (?:allergic|vegan|vegetarian|intolerant)|i hate|i dislike`,
  'ich bevorzuge|am liebsten|ich mag (?:kein|keine|keinen|nicht)|ich (?:esse|trinke) (?:kein|keine|keinen|nie)|ich bin (?:allergisch|vegan|vegetarisch|vegetarier|vegetarierin)',
  "je préfère|je n[’']aime pas|je ne (?:mange|bois) (?:pas|jamais)|je suis (?:allergique|végan|végétarien|végétarienne)",
  'prefiero|no me gusta|no me gustan|no como|no bebo|soy (?:alérgico|alérgica|vegano|vegana|vegetariano|vegetariana)',
  'prefiro|não gosto|não como|não bebo|sou (?:alérgico|alérgica|vegano|vegana|vegetariano|vegetariana)',
  'preferisco|non mi piace|non mi piacciono|non mangio|non bevo|sono (?:allergico|allergica|vegano|vegana|vegetariano|vegetariana)',
  'ik geef de voorkeur|ik (?:eet|drink) geen|ik hou niet van|ik ben (?:allergisch|vegan|vegetariër)',
])
