/** Swedish: stems by Snowball; its own lists of words. */
import { stemmer } from '@orama/stemmers/swedish'
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'sv',
  script: 'latin',
  stem: stemmer,
  // Definite singulars (flickan, mötet), and past tense (köpte, läste).
  bases: [
    [/(...a)n$/, '$1'],
    [/(...)et$/, '$1'],
    [/(...e)t$/, '$1'],
    [/(..[^aeiouy])te?$/, '$1'],
    [/(..)kl(?:ar|arna|arnas)$/, '$1kel'],
    [/(.[aeiouy])tt$/, '$1'],
  ],
  questionWords:
    'en ett den det de vem vad när var vart varför hur vilken vilket vilka vems är var vara varit blir blev bli har hade ha och eller i på av till från för med om vid som att han hon jag du vi ni man sig sin sitt sina hans hennes deras denna detta dessa',
  commonWords:
    'inte men också bara än så då där här mer mycket många under mellan mot utan efter före sedan genom över alla allt varje annan andra mig dig oss er dem min mitt mina din ditt dina vår vårt våra kan kunde ska skulle måste vill ville får fick ej nu redan',
  joints: ['', 's', 'e', 'o', 'u'],
}
