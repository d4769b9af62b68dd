/** Finnish: stems by Snowball; its own lists of words. */
import { stemmer } from '@orama/stemmers/finnish'
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'fi',
  script: 'latin',
  stem: stemmer,
  // Words in us and nk, whose middle changes (kokoukset, kaupungissa, pöydällä).
  bases: [
    [/(.[aeiouy])uks(?:[aei].*)?$/, '$1us'],
    [/(..[aeiouy])ng(?:[aeiou].*)$/, '$1nki'],
    [/(..[aeiouy])d([aeiouy])(?:[nt]|[ls][lst]?[aae]?|[ls]t?a)?$/, '$1t$2'],
    [/(..)ia$/, '$1a'],
    [/(..)im(?:et|en|ella)$/, '$1in'],
    [/(..)s(?:et|en|ella|ille)$/, '$1si'],
    [/(..)d(?:et|en|essa|ella)$/, '$1si'],
  ],
  questionWords:
    'kuka ketkä kenen mikä mitä mitkä minkä milloin koska missä mistä mihin miksi miten kuinka montako paljonko kumpi on ovat oli olivat olla ollut ja tai sekä se ne hän he tämä nämä että joka jotka',
  commonWords:
    'ei eivät en et emme ole myös mutta vain niin kun kuin jos vielä jo hyvin enemmän paljon ennen jälkeen aikana kanssa ilman välillä mukaan minä sinä me te minun sinun hänen meidän teidän heidän sen niiden tämän tuo nuo kaikki muu muut voi voivat pitää täytyy',
  joints: [''],
}
