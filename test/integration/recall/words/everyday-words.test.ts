/** Tests that everyday words of a declared language are not taken for misspellings of words that a store has, and that misspellings still are. */
import { beforeAll, describe, expect, test } from 'vitest'
import { loadLanguages } from '../../../../worker/languages/load-languages.ts'
import { openEngine, type TestEngine } from '../../../support/stores/open-engine.ts'

beforeAll(() => loadLanguages(Object.keys(cases)))

/** What each store holds; words that it lacks, each one or two letters from a word that it has; misspellings of what it has. */
const cases = {
  de: {
    notes:
      'Die Kirche am Stand in der Mitte hat einen Mangel, der Held kennt nur Stahl, Hand und Wolle und hat Schulden',
    lacking: 'Kirsche Kirschen Strand Miete Mantel Mäntel Hemd Hemden Stuhl Stühle Handy Wolke Wolken Mehr Milch',
    misspelt: ['Kirhce', 'Stahhl', 'Mangl', 'Schuldn'],
  },
  fr: {
    notes:
      'Le poison du prince est dans la carotte, le mouton et la charrue du comptoir, une boule et la liste des pays',
    lacking: 'poisson poissons pince carte bouton moutarde bouche boucles piste pain vendredi',
    misspelt: ['poisn', 'prinse', 'carottte', 'comptior'],
  },
  es: {
    notes: 'El suelo rojo es pesado, pero cada paso por la pantalla tiene ventaja y una boca malta en la escala',
    lacking: 'sueldo robo pescado perro perros cama camas piso pisos pantalón ventana boda maleta escalera',
    misspelt: ['suleo', 'pesdo', 'pantala', 'ventja'],
  },
  it: {
    notes: 'Le lotte vanno a passo lento, un getto di notti nere per questa causa',
    lacking: 'latte letto gatto gatti neve cassa zucchine',
    misspelt: ['lotet', 'casua'],
  },
  pt: {
    notes: 'Muito grato pela calma no leste, sem perda e com uma meta na ponta',
    lacking: 'gato gatos leite cama camas perna pernas mesa porta',
    misspelt: ['clama', 'pnota'],
  },
  nl: {
    notes: 'Een kans voor het merk, de stoet is de kern van de tabel',
    lacking: 'kaas melk stoel stoelen kerk kerken tafel',
    misspelt: ['tabbel', 'meerk'],
  },
  sv: {
    notes: 'En stor kran sken vid bordet, och kulan är tung vid vattnet',
    lacking: 'stol stolar kram sked kaffe biljett nyckel jacka',
    misspelt: ['vatnet', 'boordet'],
  },
  da: {
    notes: 'En stor krone og et brev, hun skal bort om vinteren, og toget er langt',
    lacking: 'stol stole skab bord kaffe billet nøgle taske jakke',
    misspelt: ['kroone', 'lanngt'],
  },
  no: {
    notes: 'En stor krone og et brev, hun skal bort om vinteren, og toget er langt',
    lacking: 'stol stoler skap bord kaffe billett nøkkel veske jakke',
    misspelt: ['kroone', 'lanngt'],
  },
} as const

describe.each(Object.keys(cases) as (keyof typeof cases)[])('a store in %s', (tag) => {
  const { notes, lacking, misspelt } = cases[tag]
  const opened = async (languages: readonly string[]): Promise<TestEngine> => {
    const engine = await openEngine({ languages })
    await engine.call('put', { batch: [{ id: 'a', body: notes }] })
    return engine
  }
  const corrected = async ({ call }: TestEngine, words: readonly string[], prefix: 'last' | 'none' = 'none') => {
    const found: string[] = []
    for (const text of words) {
      const { plan } = await call('recall', { query: { text, prefix } })
      if (plan.read.some(({ kind }) => kind === 'typo')) found.push(text)
    }
    return found
  }

  test.each([[[tag]], [[tag, 'en']]])('with %j corrects no word of everyday', async (languages) => {
    const store = await opened(languages)
    expect(await corrected(store, lacking.split(' '))).toEqual([])
    expect(await corrected(store, lacking.split(' '), 'last')).toEqual([])
  })

  test('corrects misspellings', async () => {
    expect(await corrected(await opened([tag]), misspelt)).toEqual(misspelt)
  })

  test('control: a store that does not name the language takes such words for misspellings', async () => {
    expect((await corrected(await opened([]), lacking.split(' '))).length).toBeGreaterThan(2)
  })
})
