/** Pages of any length in four languages, with code and tables, of which one sentence, line or row each answers a question; and short notes that share a word with one. */
import { createRandom, type Random } from './random.ts'

export interface FactPage {
  readonly page: { readonly id: string; readonly title: string; readonly body: string }
  /** A part of the body. */
  readonly fact: string
  readonly question: string
}

/** The first `count` pages, each of about `length` letters. */
export function factPages(length: number, count: number): readonly FactPage[] {
  return facts.slice(0, count).map(([language, fact, question], i) => {
    const random = createRandom(1000 * i + length)
    const before: string[] = []
    const after: string[] = []
    const share = random.next()
    const parts = fillers[language]!
    for (let left = length - fact.length; left > 40; ) {
      const paragraph = paragraphOf(parts, random, Math.min(left, 400))
      left -= paragraph.length + 2
      ;(random.next() < share ? before : after).push(paragraph)
    }
    const body = [...before, fact, ...after].join('\n\n')
    return { page: { id: `page ${i}`, title: `Page ${i}`, body }, fact, question }
  })
}

export function shortNotes(count: number): readonly { readonly id: string; readonly body: string }[] {
  const random = createRandom(77)
  return Array.from({ length: count }, (_, i) => {
    const [, , question] = facts[i % facts.length]!
    const words = question.split(/[\s?¿]+/).filter((word) => word.length > 4)
    return {
      id: `note ${i}`,
      body: `${random.pick(words)} ${sentenceOf(fillers[random.pick(['en', 'de', 'es', 'fr'])]!, random)}`,
    }
  })
}

type Fillers = readonly (readonly string[])[]

function paragraphOf(parts: Fillers, random: Random, length: number): string {
  let text = sentenceOf(parts, random)
  while (text.length < length) text += ` ${sentenceOf(parts, random)}`
  return text
}

function sentenceOf(parts: Fillers, random: Random): string {
  return `${parts.map((choices) => random.pick(choices)).join(' ')}.`
}

const fillers: Readonly<Record<string, Fillers>> = {
  en: [
    ['The council', 'A neighbour', 'My cousin', 'The old library', 'Our team', 'A visitor', 'The gardener'],
    ['described', 'repaired', 'remembered', 'painted', 'counted', 'moved', 'watched', 'discussed'],
    ['the wooden fence', 'several windows', 'a quiet street', 'many letters', 'the winter market', 'some bicycles'],
    ['before lunch', 'near the river', 'without hurry', 'for many years', 'in the evening', 'after the rain'],
  ],
  de: [
    ['Der Nachbar', 'Die Gemeinde', 'Ein Besucher', 'Meine Tante', 'Das Museum', 'Der Verein'],
    ['beschreibt', 'sammelt', 'repariert', 'zählt', 'bemalt', 'verschiebt', 'bespricht'],
    ['den alten Zaun', 'viele Fenster', 'eine ruhige Straße', 'manche Briefe', 'den Wintermarkt', 'einige Bilder'],
    ['vor dem Essen', 'am Fluss', 'ohne Eile', 'seit vielen Jahren', 'am Abend', 'nach dem Regen'],
  ],
  es: [
    ['El vecino', 'La biblioteca', 'Mi prima', 'Un visitante', 'El museo', 'La escuela'],
    ['describe', 'repara', 'recuerda', 'pinta', 'cuenta', 'mueve', 'mira'],
    ['la cerca vieja', 'varias ventanas', 'una calle tranquila', 'muchas cartas', 'el mercado de invierno'],
    ['antes de comer', 'cerca del río', 'sin prisa', 'desde hace años', 'por la tarde', 'tras la lluvia'],
  ],
  fr: [
    ['Le voisin', 'La mairie', 'Ma tante', 'Un visiteur', 'Le musée', 'Notre équipe'],
    ['décrit', 'répare', 'raconte', 'peint', 'compte', 'déplace', 'regarde'],
    ['la vieille clôture', 'plusieurs fenêtres', 'une rue calme', 'beaucoup de lettres', 'le marché d’hiver'],
    ['avant le repas', 'près du fleuve', 'sans hâte', 'depuis des années', 'le soir', 'après la pluie'],
  ],
}

/** Language, fact, question. */
const facts: readonly (readonly [language: string, fact: string, question: string])[] = [
  [
    'en',
    'Marlene keeps the spare boiler key behind the blue flour tin.',
    'Where does Marlene keep the spare boiler key?',
  ],
  ['de', 'Der Impfpass von Luna liegt in der grünen Schublade neben dem Herd.', 'Wo liegt der Impfpass von Luna?'],
  ['es', 'La contraseña del router nuevo es girasol cuarenta y dos.', '¿Cuál es la contraseña del router nuevo?'],
  [
    'fr',
    'Le plombier Garnier facture quatre-vingts euros pour la chaudière.',
    'Combien facture le plombier Garnier pour la chaudière ?',
  ],
  [
    'en',
    '```sh\nrsync --archive --delete photos/ backup:/vault/photos\n```',
    'rsync command to archive photos to the backup vault',
  ],
  [
    'en',
    '| part | torque |\n|---|---|\n| crank bolt | 45 newton metres |',
    'torque of the crank bolt in newton metres',
  ],
  [
    'en',
    'Dr. Okafor moved the knee operation to Thursday 14 March at 9.30 in room 12.',
    'When did Dr. Okafor move the knee operation?',
  ],
  [
    'de',
    'Für die Heizung Modell Vitola gilt der Fehlercode F27 als Brennerstörung.',
    'Was bedeutet Fehlercode F27 der Heizung Vitola?',
  ],
  [
    'en',
    'The tulip bulbs from Haarlem need eleven weeks of cold before planting.',
    'How many weeks of cold do the tulip bulbs from Haarlem need?',
  ],
  ['es', 'El abuelo Tomás nació en Cuenca el año de la gran nevada.', '¿Dónde nació el abuelo Tomás?'],
  [
    'fr',
    'La recette de grand-mère Odile demande trois cuillères de fleur d’oranger.',
    'Combien de cuillères de fleur d’oranger demande la recette d’Odile ?',
  ],
  ['en', '- passport renewal: bring two photographs and the yellow form', 'What to bring for the passport renewal?'],
]
