/** Portuguese: stems by Snowball; its own lists of words. */
import { stemmer } from '@orama/stemmers/portuguese'
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'pt',
  script: 'latin',
  stem: stemmer,
  // Plurals whose vowels change without their accents: reuniões, pães, mãos, animais, hotéis, fáceis, lençóis, azuis, homens.
  bases: [
    [/(.)(?:oes|aes|aos)$/, '$1ao'],
    [/(..)ais$/, '$1al'],
    [/(..)eis$/, '$1el'],
    [/(...)eis$/, '$1il'],
    [/(..)ois$/, '$1ol'],
    [/(..)uis$/, '$1ul'],
    [/(.[aeiou])ns$/, '$1m'],
  ],
  questionWords:
    'o a os as um uma uns umas de do da dos das em no na nos nas ao aos à às por pelo pela pelos pelas para com e ou que quê quem qual quais quando onde como quanto quanta quantos quantas porque é são era eram foi foram ser sido está estão se seu sua seus suas há',
  commonWords:
    'não mais mas sem sobre entre até desde durante antes depois também muito já assim todo todos toda todas outro outra outros outras este esta estes estas esse essa esses essas isso isto aquele aquela ele ela eles elas eu tu nós você vocês me te lhe lhes meu minha teu tua nosso nossa tem têm tinha pode podem nem segundo',
}
