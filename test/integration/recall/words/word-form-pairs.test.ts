/** Tests that common forms find each other, in both directions: pairs of a word and a form of it, in each language with word forms. */
import { describe, expect, test } from 'vitest'
import { tokenise } from '../../../../src/core/text/tokenise/tokenise.ts'
import { loadLanguages } from '../../../../worker/languages/load-languages.ts'
import { openOver } from '../../../support/stores/open-over.ts'

const pairs: readonly (readonly [tag: string, pairs: string])[] = [
  [
    'de',
    'Haus Häuser|Buch Bücher|Katze Katzen|Kind Kinder|Mann Männer|Frau Frauen|Auto Autos|Termin Termine|Rechnung Rechnungen|Stadt Städte|Arzt Ärzte|Schlüssel Schlüsseln|kaufen gekauft|kaufen kaufte|gehen geht|fahren fährt|schlafen schläft|neu neue|schön schöner|Lehrer Lehrerin|arbeiten arbeitet|spielen spielt|sagen sagte|Straße Straßen|Fuß Füße|Zimmer Zimmern|Problem Probleme|Datenbank Datenbanken',
  ],
  [
    'fr',
    'cheval chevaux|journal journaux|maison maisons|enfant enfants|manger mangé|manger mangée|manger mangent|manger mange|jouer joue|jouer jouent|jouer joué|acheter acheté|acheter achète|beau belle|nouveau nouvelle|nouveau nouveaux|heureux heureuse|actif active|réunion réunions|école écoles|parler parlé|parler parlait|finir finit|finir fini|oublier oublié|clé clés|travail travaux|mot mots|général générale|premier première|animal animaux|bateau bateaux|jeu jeux|vendre vendu|vendre vend',
  ],
  [
    'es',
    'niño niños|niño niña|casa casas|reunión reuniones|jardín jardines|comprar compré|comprar compró|comprar comprado|comprar compramos|comer comí|comer comía|comer come|vivir vive|vivir vivía|vivir vivió|hablar hablaba|hablar hablaron|pez peces|luz luces|lápiz lápices|español española|canción canciones|ciudad ciudades|pagar pagué|pagar pagó|trabajar trabajo|trabajar trabajando|inglés ingleses|árbol árboles|país países|rojo rojas|fácil fáciles|llave llaves|contraseña contraseñas',
  ],
  [
    'it',
    'gatto gatti|gatto gatta|casa case|città città|libro libri|amico amici|amica amiche|lungo lunghi|lungo lunghe|banco banchi|mangiare mangiato|mangiare mangia|mangiare mangiano|comprare comprato|comprare comprò|comprare compravo|riunione riunioni|chiave chiavi|bambino bambini|parlare parlato|parlare parlava|dormire dormono|dormire dormito|finire finisce|uovo uova|università università|problema problemi|medico medici|medico mediche|nuovo nuove|orologio orologi|viaggio viaggi|spiaggia spiagge',
  ],
  [
    'pt',
    'menino meninos|menino menina|reunião reuniões|canção canções|informação informações|pão pães|mão mãos|animal animais|hotel hotéis|papel papéis|fácil fáceis|azul azuis|lençol lençóis|comprar comprei|comprar comprou|comprar comprado|comprar compram|comer comi|comer comeu|comer comia|falar falava|falar falaram|viver vive|homem homens|viagem viagens|português portuguesa|inglês ingleses|luz luzes|mulher mulheres|chave chaves|senha senhas|cidade cidades|país países|coração corações|cão cães|avião aviões|bom bons|irmão irmã',
  ],
  [
    'nl',
    'huis huizen|boek boeken|kind kinderen|fiets fietsen|brief brieven|man mannen|vrouw vrouwen|auto autos|vergadering vergaderingen|lopen loopt|lezen leest|werken werkt|werken gewerkt|werken werkte|maken gemaakt|groot grote|mooi mooie|duif duiven|muis muizen|school scholen|raam ramen|sleutel sleutels|lief lieve|reis reizen|ziekenhuis ziekenhuizen|kaas kazen|fles flessen|wachtwoord wachtwoorden',
  ],
  [
    'sv',
    'flicka flickor|flicka flickan|flicka flickorna|hus husen|skola skolan|skola skolor|hund hundar|barn barnen|nyckel nycklar|möte möten|möte mötet|stad städer|köpa köpte|köpa köpt|läsa läser|läsa läste|stor stora|ny nytt|arbeta arbetar|arbeta arbetade|bil bilar|bil bilarna|lösenord lösenordet',
  ],
  [
    'da',
    'hund hunde|hund hundene|hus huset|hus huse|møde møder|møde mødet|bog bøger|skole skolen|skole skoler|nøgle nøgler|nøglen nøgle|købe købte|købe køber|læse læser|stor store|ny nye|arbejde arbejder|bil biler|bil bilerne|adgangskode adgangskoder|pige piger|by byen',
  ],
  [
    'no',
    'hund hunder|hund hundene|hus huset|møte møter|møte møtet|bok bøker|skole skolen|skole skoler|kjøpe kjøpte|kjøpe kjøper|lese leser|stor store|bil biler|bil bilene|jente jenter|hest hestene|passord passordet|arbeide arbeider',
  ],
  [
    'fi',
    'talo talot|talo talossa|talo taloon|talo talon|talo taloissa|kissa kissat|kissa kissan|koira koiria|kirja kirjat|kirja kirjasta|kokous kokoukset|kokous kokouksen|avain avaimet|avain avaimen|lapsi lapset|lapsi lapsen|kaupunki kaupungit|kaupunki kaupungissa|ostaa osti|ostaa ostan|pöytä pöydällä|pöytä pöydät|päivä päivät|päivä päivän|käsi kädet|vesi veden|koulu koulussa',
  ],
  [
    'ro',
    'carte cărți|carte cărțile|casă case|casă casa|copil copii|copil copilul|oraș orașe|oraș orașul|cheie chei|parolă parole|întâlnire întâlniri|cumpăra cumpărat|merge merg|vorbi vorbit|frumos frumoasă|mare mari|student studenți|câine câini|munte munți|floare flori',
  ],
  [
    'ru',
    'книга книги|книга книгу|книга книг|дом дома|дом домов|город города|ключ ключи|ключ ключей|дети детей|окно окна|купить купил|купить купили|читать читает|читать читал|новый новая|новый нового|большой большие|встреча встречи|встреча встреч|пароль пароли|пароль пароля|машина машиной|играть играют|яблоко яблоки|ёлка ёлки|врач врачи',
  ],
  [
    'tr',
    'kitap kitaplar|kitap kitabı|kitap kitapları|kitap kitaplarımı|araba arabalar|araba arabanın|araba arabada|araba arabası|ışık ışıklar|ışık ışıkları|ışık ışığı|çocuk çocuklar|çocuk çocuğu|ev evler|ev evde|ev evim|ev evimiz|anahtar anahtarı|anahtar anahtarlar|anahtar anahtarlarım|toplantı toplantılar|toplantı toplantıda|toplantı toplantısı|şifre şifreler|şifre şifresi|şifre şifreyi|kız kızlar|kız kızı|göz gözler|göz gözü|gün günler|gün günü|okul okulda|okul okullar|yol yolu|masa masada|masa masanın|kapı kapıyı|kapı kapılar|ağaç ağaçlar|ağaç ağacı|köpek köpekler|köpek köpeği|kadın kadınlar|kadın kadının|yıl yıllar|yıl yılında|şehir şehirler|kitaplık kitaplıklar|sınıf sınıfı|İstanbul İstanbulda',
  ],
  [
    'el',
    'βιβλίο βιβλία|βιβλίο βιβλίου|σπίτι σπίτια|σπίτι σπιτιού|γάτα γάτες|γάτα γάτας|παιδί παιδιά|παιδί παιδιού|κλειδί κλειδιά|πόλη πόλεις|πόλη πόλης|άνθρωπος άνθρωποι|άνθρωπος ανθρώπων|διαβάζω διαβάζει|καλός καλή|καλός καλά|μεγάλος μεγάλη|δρόμος δρόμοι|συνάντηση συναντήσεις|κωδικός κωδικοί',
  ],
  [
    'hu',
    'ház házak|ház házban|ház házból|ház házról|ház háztól|ház háznál|ház házhoz|ház házat|könyv könyvek|könyv könyvet|könyv könyvben|könyv könyvből|macska macskák|macska macskát|macska macskával|kutya kutyák|kutya kutyának|kulcs kulcsok|kulcs kulcsot|város városok|város városban|város városba|város városból|gyerek gyerekek|gyerek gyereknek|jelszó jelszót|autó autók|autó autóval|autó autót|asztal asztalon|iskola iskolában|iskola iskolák|alma almák|alma almát|nap napok|nap napon',
  ],
]
/** Words that look alike and must not find each other. */
const strangers: readonly (readonly [tag: string, pairs: string])[] = [
  ['de', 'Gast Gas|Bart Bar|Termin Termini|Kind Kino|Mutter Mut|Leiter Leid'],
  ['fr', 'maison mais|port porc|livre lire'],
  ['es', 'pero perro|casa caza'],
  ['pt', 'mais mal|mao mae|caro carro'],
  ['nl', 'huur huis|deur duur'],
  ['sv', 'hus hund|bok bil'],
  ['tr', 'kapı kaya|masa maya|yol yıl'],
  ['ru', 'дом дым|стол стул'],
]

/** Pairs of which one does not find the other. */
async function missing(tag: string, listed: string, isFound = true): Promise<readonly string[]> {
  await loadLanguages([tag])
  const { call } = await openOver({ languages: [tag] } as never)
  const all = listed.split('|').map((pair) => pair.split(' ') as [string, string])
  await call('put', { batch: [...new Set(all.flat())].map((body) => ({ id: body, body })) })
  const wrong: string[] = []
  for (const [some, other] of all)
    for (const [asked, wanted] of [
      [some, other],
      [other, some],
    ] as const) {
      const { hits } = await call('recall', { query: { text: asked, typos: 'off', limit: 100, collapse: 'none' } })
      if (hits.some(({ id }) => id === wanted) !== isFound) wrong.push(`${asked} → ${wanted}`)
    }
  return wrong
}

describe('forms of a word', () => {
  test.each(pairs)('of %s find each other', async (tag, listed) => {
    expect(await missing(tag, listed)).toEqual([])
  })

  test.each(strangers)('control: other words of %s do not', async (tag, listed) => {
    expect(await missing(tag, listed, false)).toEqual([])
    expect(new Set(listed.split(/[| ]/).map((word) => tokenise(word)[0]!.word)).size).toBeGreaterThan(3)
  })
})
