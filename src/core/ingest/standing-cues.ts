/**
 * Reads whether a text states what holds on: an instruction ("always show code with types"), a preference or constraint ("I don't eat fish"),
 * or what its writer is ("I live in Graz"). Reads cues of seven languages, not meaning. A long text is left out: it only mentions such words.
 * Takes linear time.
 */
import type { StandingKind } from '../model/query.ts'
import { chatTuning } from '../similarity/chat-tuning.ts'

type Texts = Readonly<Record<'title' | 'summary' | 'body' | 'instruction', string | null>>

/** Null for most records. If a text states several, the instruction counts before the preference. */
export function standingOf({ title, summary, body, instruction }: Texts): StandingKind | null {
  const given = [title, summary, body, instruction].filter((part) => part !== null)
  if (given.reduce((sum, part) => sum + part.length, 0) > chatTuning.maxStandingCharacters) return null
  const text = lowerCased(given.join('\n'))
  if (instructs.test(text)) return 'instruction'
  if (prefers.test(text)) return 'preference'
  return describes.test(text) ? 'profile' : null
}

/** In place of the flag `i`, whose classes of letters take a tenth of a second to compile. As with it, `İ` is one letter and `ſ` is an s. */
const lowerCased = (text: string) => text.replaceAll('İ', 'I').toLowerCase().replaceAll('ſ', 's')

const phrases = (list: readonly string[]) =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${list.join('|').replaceAll(' ', String.raw`\s`)})(?![\p{L}\p{N}])`, 'u')

// "I always …" describes a habit; "always" without "I" is an instruction.
const instructs = /* @__PURE__ */ phrases([
  ...ofForm(),
  String.raw`(?<!(?:i|we|you|he|she|it|they|who|that|is|are|was|were|['’](?:s|m|re|ve|d|ll)|have|has|had) )always`,
  'from now on|going forward|in (?:the )?future,? please',
  String.raw`please (?:\p{L}{2,14} ){0,3}(?:make sure|ensure|remember|always|never|do not|don['’]t|from now on)|make sure (?:to|that|you)`,
  String.raw`(?:never|don['’]t|do not) ever`,
  'whenever i|every time i|each time i',
  'never (?:use|include|suggest|give|mention|show|write|send|add|ask|call|recommend|put|push|deploy|book|order|delete|merge|commit|schedule|share|reply|answer)',
  'immer wenn ich|jedes mal,? wenn ich|ab jetzt|ab sofort|von nun an|künftig|in zukunft|bitte(?: \\p{L}{2,14}){0,3} (?:immer|nie|niemals|stets)',
  "désormais|dorénavant|à partir de maintenant|à l[’']avenir|chaque fois que je|\\p{L}{2,14}(?:s|e|ez) toujours|ne (?:me )?\\p{L}{2,14} jamais",
  'de ahora en adelante|a partir de ahora|cada vez que yo|(?:responde|escribe|usa) siempre|siempre (?:responde|escribe|usa)|nunca (?:uses|sugieras|pongas|envíes|me)|por favor,? (?:siempre|nunca)',
  'de agora em diante|a partir de agora|sempre que eu|(?:responda|escreva|use) sempre|sempre (?:responda|escreva|use)',
  "d[’']ora in poi|ogni volta che io|(?:rispondi|scrivi|usa) sempre",
  'vanaf nu|voortaan|elke keer dat ik|(?:antwoord|schrijf|gebruik) altijd',
])

/** How answers must be written, and how their reader is addressed. */
function ofForm(): readonly string[] {
  const parts = String.raw`(?:one|two|three|four|five|\d+) (?:sentences?|words|lines|paragraphs|bullet points)`
  return [
    `${parts} (?:at most|max|maximum|or less|or fewer)|(?:at most|no more than) ${parts}`,
    String.raw`(?:keep|make) (?:it|(?:your |the |all )?(?:answers?|replies|messages|summaries)) (?:\p{L}{2,10} ){0,2}(?:short|brief|simple|concise|formal|informal|plain|long|detailed)`,
    '(?:answer|reply|write|speak|explain) (?:to )?(?:me |us )?in (?:plain |simple )?(?:english|german|french|spanish|bullet points|full sentences)',
    String.raw`(?<!\p{L} )no (?:emojis?|bullet points|jargon|small talk)|(?:british|american) spelling`,
    String.raw`fasse? dich kurz|du[tz]?ze mich|(?:sprich|sprechen sie|rede|reden sie) mich mit|mit (?:du|sie) an(?:reden|sprechen)|keine emojis|antworte (?:mir )?(?:auf|in) \p{L}+|höchstens \p{L}{2,6} (?:sätze|wörter|zeilen)`,
    'tutoie-moi|vouvoie-moi|tutéame|trátame de (?:tú|usted)',
  ]
}

const diets =
  'allergic|intolerant|vegan|vegetarian|vegetarians|vegans|pescatarian|celiac|coeliac|diabetic|gluten[- ]free|teetotal|colou?r[- ]?blind'

const prefers = /* @__PURE__ */ phrases([
  String.raw`i(?:['’]d| would)? (?:prefer|rather|much prefer|really prefer)|my preference is|my favou?rite`,
  String.raw`(?:i|we) (?:do not|don['’]t|never|can['’]t|cannot|can not|must not|no longer) (?:eat|drink|like|want|stand|tolerate|wear|have any|fly|drive|smoke)`,
  String.raw`(?:i(?:['’]m| am)|we(?:['’]re| are)|(?:he|she|it)(?:['’]s| is)|my \p{L}{2,12} is) (?:\p{L}{1,12} ){0,2}(?:${diets})|i hate|i dislike|i avoid|i(?:['’]m| am) (?:afraid|scared) of`,
  String.raw`(?:i|my \p{L}{2,12}) (?:have|has) (?:\p{L}{1,12} ){0,2}(?:celiac|coeliac|allergy|allergies|intolerance|diabetes|asthma|vertigo|migraines?|high blood pressure)`,
  String.raw`(?:still |absolutely )?no (?:meat|pork|fish|alcohol|gluten|sugar|dairy|nuts|sweets|caffeine)|i only (?:eat|drink|wear|fly|take)|keeps? kosher|halal only`,
  String.raw`(?:the|my) doctor (?:forbids|forbade|said|says|wants me)|i(?:['’]m| am) not allowed|my (?:knee|back|wrist|shoulder|ankle|hip|neck|heart) (?:hurts|is bad|is broken|aches)|i (?:broke|sprained|injured) my`,
  'ich bevorzuge|am liebsten|ich mag (?:kein|keine|keinen|nicht)|(?:ich|wir) (?:esse|essen|trinke|trinken|vertrage|vertragen|rauche) (?:kein|keine|keinen|nie)|(?:ich bin|wir sind|mein \\p{L}{2,12} ist|meine \\p{L}{2,12} ist) (?:\\p{L}{2,16} ){0,2}(?:allergisch|vegan|vegetarisch|vegetarier|vegetarierin|veganer|veganerin|diabetiker|diabetikerin)|ich habe (?:eine )?(?:zöliakie|\\p{L}{0,20}allergie|\\p{L}{0,20}intoleranz|diabetes|asthma|höhenangst)|ich hasse',
  "je préfère|je n[’']aime pas|je déteste|je ne (?:mange|bois|supporte|fume) (?:pas|jamais|plus)|(?:je suis|ma \\p{L}{2,12} est|mon \\p{L}{2,12} est) (?:\\p{L}{2,16} ){0,2}(?:allergique|végan|végétarien|végétarienne|intolérante?|diabétique|cœliaque)|j[’']ai (?:une allergie|une intolérance|la maladie cœliaque|le vertige|du diabète)",
  'prefiero|no me gusta|no me gustan|no como|no bebo|no tolero|odio|(?:soy|mi \\p{L}{2,12} es) (?:\\p{L}{2,16} ){0,2}(?:alérgico|alérgica|vegano|vegana|vegetariano|vegetariana|celíaco|celíaca|celiaco|celiaca|intolerante|diabético|diabética)|tengo (?:alergia|intolerancia|vértigo|diabetes)',
  'prefiro|não gosto|não como|não bebo|odeio|(?:sou|meu \\p{L}{2,12} é|minha \\p{L}{2,12} é) (?:\\p{L}{2,16} ){0,2}(?:alérgico|alérgica|vegano|vegana|vegetariano|vegetariana|celíaco|celíaca|intolerante)|tenho (?:alergia|intolerância)',
  'preferisco|non mi piace|non mi piacciono|non mangio|non bevo|odio|(?:sono|mia \\p{L}{2,12} è|mio \\p{L}{2,12} è) (?:\\p{L}{2,16} ){0,2}(?:allergico|allergica|vegano|vegana|vegetariano|vegetariana|celiaco|celiaca|intollerante)',
  'ik geef de voorkeur|ik (?:eet|drink) geen|ik hou niet van|ik haat|(?:ik ben|mijn \\p{L}{2,12} is) (?:\\p{L}{2,16} ){0,2}(?:allergisch|vegan|vegetariër|intolerant)',
])

const kin =
  'wife|husband|partner|girlfriend|boyfriend|fiancée?|son|daughter|sons|daughters|kids|children|baby|brother|sister|mother|father|mom|mum|dad|parents|grandmother|grandfather|nephew|niece|dog|cat|horse|rabbit|parrot'

const describes = /* @__PURE__ */ phrases([
  String.raw`my name is|call me|i(?:['’]m| am) (?:an?|the|from|called|\d+|married|single|divorced|engaged|retired|based|left[- ]handed|pregnant)`,
  'i (?:live|work|study|teach|was born|grew up|come from|moved to|relocated to|speak|drive|own|play the)',
  String.raw`(?:i|we)(?:['’]ve got| have| got| have got) (?:an?|two|three|four|five|no) (?:\p{L}{2,14} ){0,2}(?:${kin}|car|bike|house|flat|apartment|garden|company|allotment)`,
  String.raw`my (?:\p{L}{2,14} ){0,2}(?:${kin}|birthday|job|boss|hometown|address|phone number|shoe size|car|blood type)(?: \p{Ll}\p{L}{1,20})? (?:is|are|was|has|works|lives|turns)`,
  'ich hei(?:ß|ss)e|mein name ist|ich (?:wohne|lebe|arbeite|studiere|komme aus|spreche|fahre einen?)|ich bin (?:ein|eine|\\d+|verheiratet|ledig|geschieden|schwanger|in \\p{L}{2,20} geboren)|ich (?:habe|hab) (?:einen|eine|zwei|drei|keine) (?:\\p{L}{2,14} ){0,1}(?:frau|mann|sohn|tochter|söhne|töchter|kinder|bruder|schwester|hund|katze|garten|auto)|mein(?:e)? (?:frau|mann|sohn|tochter|bruder|schwester|mutter|vater|hund|katze|chefin|chef|geburtstag)(?: \\p{Ll}\\p{L}{1,20})? (?:ist|sind|hei(?:ß|ss)t|wohnt|arbeitet|wird)',
  "je m[’']appelle|mon nom est|j[’']habite|je (?:vis|travaille|viens de|parle|conduis|suis (?:une?|né|née|mariée?|célibataire|enceinte))|j[’']ai (?:une?|deux|trois|\\d+) (?:femme|mari|fils|filles?|enfants|frère|sœur|chien|chat|ans|voiture|jardin)|(?:mon|ma) (?:femme|mari|fils|fille|frère|sœur|mère|père|chien|chat|anniversaire) (?:est|s[’']appelle|habite|travaille)",
  'me llamo|mi nombre es|(?:vivo|trabajo|estudio|vengo de|nací) (?:en|de|como|para)|soy (?:un|una|de)|tengo (?:un|una|dos|tres|\\d+) (?:hijos?|hijas?|hermano|hermana|perro|gata|gato|años|coche|marido)|mi (?:mujer|marido|hijo|hija|hermano|hermana|madre|padre|perro|gato|cumpleaños) (?:es|se llama|vive|trabaja)',
  'me chamo|meu nome é|(?:moro|vivo|trabalho|estudo) (?:em|no|na|como)|sou (?:um|uma|de)|tenho (?:um|uma|dois|duas|três) (?:filhos?|filhas?|irmão|irmã|cachorro|gato|carro)|(?:meu|minha) (?:mulher|marido|filho|filha|irmão|irmã|mãe|pai|cachorro|gato|aniversário) (?:é|se chama|mora|trabalha)',
  'mi chiamo|il mio nome è|(?:vivo|abito|lavoro|studio) (?:a|in|come|per)|sono (?:un|una|di|sposato|sposata)|ho (?:un|una|due|tre|\\d+) (?:figli|figlio|figlia|fratello|sorella|cane|gatto|anni|macchina)|(?:mio|mia) (?:moglie|marito|figlio|figlia|fratello|sorella|madre|padre) (?:è|si chiama|vive|lavora)',
  'ik heet|mijn naam is|ik (?:woon|werk|studeer|kom uit|spreek)|ik ben (?:een|getrouwd|vrijgezel)|ik heb (?:een|twee|drie) (?:zoon|dochter|kinderen|broer|zus|hond|kat|auto|tuin)|mijn (?:vrouw|man|zoon|dochter|broer|zus|moeder|vader|hond|kat|verjaardag) (?:is|heet|woont|werkt)',
])
