/** Norwegian: stems by Snowball; its own lists of words. */
import { stemmer } from '@orama/stemmers/norwegian'
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'no',
  script: 'latin',
  stem: stemmer,
  // Past tense (kjøpte), and plurals in ler (nøkler).
  bases: [
    [/(..[^aeiouy])te?$/, '$1'],
    [/(..)ler$/, '$1el'],
  ],
  questionWords:
    'en ei et den det de hvem hva når hvor hvorfor hvordan hvilken hvilket hvilke er var være vært blir ble bli har hadde ha og eller i på av til fra for med om ved som at å han hun jeg du vi dere man seg sin sitt sine hans hennes deres denne dette disse',
  commonWords:
    'ikke men også bare enn så da der her mer mye mange under mellom mot uten etter før siden gjennom over alle alt hver annen andre meg deg oss dem min mitt mine din ditt dine vår vårt våre kan kunne skal skulle må måtte vil ville får fikk nå allerede',
  joints: ['', 's', 'e'],
}
