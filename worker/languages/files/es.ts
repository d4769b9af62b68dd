/** Spanish: stems by Snowball; its own lists of words. */
import { stemmer } from '@orama/stemmers/spanish'
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'es',
  script: 'latin',
  stem: stemmer,
  // Plurals of z (peces), and past tense (comía, vivió).
  bases: [
    [/(..)ces$/, '$1z'],
    [/(..[^aeiou])(?:i|io|ia|ian|ias|iamos|iste|imos|ieron)$/, '$1er'],
  ],
  questionWords:
    'el la los las un una unos unas de del al a en y e o que qué quién quien quiénes quienes cuál cual cuáles cuales cuándo cuando dónde donde cómo como cuánto cuánta cuántos cuántas cuanto cuantos por para con es son era eran fue fueron ser sido está están se su sus lo le les ha han había',
  commonWords:
    'no más pero si sin sobre entre hasta desde durante antes después también muy ya así todo todos toda todas otro otra otros otras este esta estos estas ese esa esos esas eso esto aquel aquella ella él ellos ellas yo tú nosotros usted ustedes me te nos mi mis tu tus nuestro nuestra hay tiene tienen tenía puede pueden ni u porque según',
}
