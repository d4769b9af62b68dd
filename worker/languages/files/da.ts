/** Danish: stems by Snowball; its own lists of words. */
import { stemmer } from '@orama/stemmers/danish'
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'da',
  script: 'latin',
  stem: stemmer,
  // Past tense (købte, kjøpte).
  bases: [
    [/(..[^aeiouy])te?$/, '$1'],
    [/(.[aeiouy])en?$/, '$1'],
  ],
  questionWords:
    'en et den det de hvem hvad hvornår hvor hvorfor hvordan hvilken hvilket hvilke hvis er var være været bliver blev blive har havde have og eller i på af til fra for med om ved som at han hun jeg du vi i man sig sin sit sine hans hendes deres denne dette disse',
  commonWords:
    'ikke men også kun end så da der her mere meget mange under mellem mod uden efter før siden gennem over alle alt hver anden andre mig dig os jer dem min mit mine din dit dine vor vores kan kunne skal skulle må måtte vil ville får fik nu allerede',
  joints: ['', 's', 'e'],
}
