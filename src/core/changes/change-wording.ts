/**
 * The words by which a change is read, as data: what an action says of its subject, what reports that something changed or ended, what
 * denies, and nouns of which a subject has one at a time. Folded, in the languages of the time reader: en de fr es it nl pt.
 */

import { phrases } from './change-phrases.ts'
import { statesByWord } from './states.ts'
import { stem } from '../text/tokenise/stem.ts'

/** Looks for something, which is there when it is found. */
const seeking =
  'looking searching hunting suche suchen cherche cherchons busco buscamos cerco cerchiamo procuro zoek zoeken'

/** What an action says. Actions of one slot say the same of their subject. */
export type Slot = 'is' | 'home' | 'work' | 'like' | 'have' | 'role' | 'one' | 'some' | 'act'

/**
 * `home`, `work`, `one`: a subject has one object at a time; `some`: one of a kind, if both name the kind. `role`: an object has one subject
 * at a time. `is`: depends on what is said. `like`, `have`, `act`: many at a time, so only a denial, an end or a word of change replaces one.
 */
const actions: Readonly<Record<Slot, string>> = {
  is:
    'is are am be s re m been siamo somos sommes ist sind bin sei heisst heisse heißt heiße lautet est suis sont appelle appelles es son soy esta estoy llama llamo e sono sta liegt liegen ligt liggen staat hangt steht stehen steckt trouve trova encuentra fica ' +
    'chiama chiamo zijn bent heet sao sou estou chama chamo becomes remains',
  home: 'live lives living reside resides wohne wohnt wohnen lebe lebt habite habitent vis vit vivo vive viven vivem vivono habitan moram resido abito abita woon woont moro mora',
  work: 'work works working employed arbeite arbeitet travaille trabajo trabaja lavoro lavora werk werkt trabalho trabalha',
  like: 'like likes stand love loves enjoy enjoys adore mag mogen liebe liebt aime aimes adore gusta hou gustan encanta piace amo houd houdt gosto gosta fan fond',
  have: 'have has got own owns ve habe hat haben ai avons ont tengo tiene tienen ho ha abbiamo heb heeft hebben tenho tem temos',
  role: 'leads lead owns maintains maintain manages manage heads chairs runs leitet dirige leidt lidera coordinates handles coaches teaches moderates',
  one:
    'costs cost kostet betragt coute cuesta kost custa earn earns verdiene gagne gano guadagno drive drives driving run runs meet meets start starts starting begins begin leave leaves departs arrives opens closes sits sleep sleeps wake wakes deploy deploys ' +
    'expires expire ends lasts last departs lands charges pays host parks ' +
    'weigh weighs wiege wiegt pese peso pesa weeg weegt reports belongs hosts goes written writes expecting expect fahre fahrt beginnt startet conduis commence conduzco empieza inizia begint rijd comeca',
  some:
    'use uses using take takes store stores prefer prefers wear wears plays play read reading learning study studies studying studiere studiert etudie estudio estudia studia studeert estudo estuda nutze nutzen nutzt benutze benutzen benutzt verwenden ' +
    'bevorzuge lerne lese utilise utilisons prefere apprends usamos uso prefiero aprendo usiamo preferisco imparo gebruik gebruiken leer prefiro require requires support supports stay stays staying contain contains hold holds rents ride rides return returns accept accepts cover covers serve serves offer offers sell sells',
  act:
    `${seeking} ` +
    'planning write writes owe owes schulde schuldet nenn nenne keep keeps eat eats drink drinks smoke smokes speak speaks go goes going want wants need needs plan plans answer reply respond address call put send look looks seem seems sound sounds taste tastes feel feels rauchen fume fumo rook trinke trinkt esse isst rauche bois mange bebo como bevo mangio drink eet bebo como',
}

/** What one does with what one likes: in a label, such as "Books I like to read", these words name no matter. */
const enjoying = 'like dislike love hate enjoy prefer play watch read wear drink eat listen visit'

/** Actions of liking that deny it. */
const dislikes = 'dislike dislikes hate hates detest loathe avoid avoids hasse deteste odio odia haat odeio detesto'

/** The writer. */
const mine =
  'i me my mine we us our ours ich mein meine meinen meiner mich mir wir unser unsere je j mon ma mes moi nous notre nos yo mi mis me nosotros nuestro nuestra ' +
  'io mio mia miei noi nostro ik mijn mij wij we ons onze eu meu minha nos nosso nossa'

const determiners =
  'my our your his her its their the a an this that mein meine der die das ein eine mon ma mes le la un une mi el los una il lo mio mia mijn de het een meu minha o'

/** Things of which an end leaves nothing to say: "I sold my car" ends what was said of it. */
const strongEnds =
  'stolen gestohlen vole robado rubato roubado gestolen sold traded scrapped cancelled canceled deleted removed discontinued deprecated verkauft gekundigt abgesagt vendu annule annulee vendi vendio cancele cancelo ' +
  'cancelado venduto annullato verkocht opgezegd afgezegd vendeu cancelei'

/** Who holds an office of something is one at a time. */
const offices =
  'ceo cto cfo coo boss manager president mayor head chair chairman chairwoman goalkeeper treasurer secretary moderator drummer pianist director principal owner landlord captain coach editor maintainer chef chefin leiter leiterin directeur jefe capo baas chefe'

/** Whose name may be said of them. */
const persons =
  'owner babysitter cleaner manager boss lead leader maintainer doctor dentist therapist teacher coach trainer landlord tenant partner wife husband girlfriend boyfriend fiance supervisor mentor tutor nanny accountant lawyer vet hairdresser roommate flatmate arzt chef chefin vermieter medecin patron medico jefe capo huisarts baas chefe'

/** Of the actions of change, those that put another in the place of what they name. */
const replacing =
  'changed change changes switched replaced swapped exchanged renewed updated corrected gewechselt geandert getauscht changee cambio cambie cambiado cambiato gewijzigd veranderd mudou'

const changes = {
  /** Something is another thing from now on. */
  now:
    'now ab vanaf nowadays currently since starting instead actually correction update again anymore lately meanwhile final new finally jetzt inzwischen mittlerweile ' +
    'sinds passa passam nun neu neue neuer neues stattdessen wieder sondern seit maintenant desormais dorenavant depuis nouveau nouvelle ahora desde nuevo nueva adesso ora ormai ' +
    'invece nuovo nuova nu voortaan inmiddels nieuw nieuwe agora novo nova',
  /** Actions of change. */
  turn:
    `${replacing} ` +
    'bumped transferred moves turned turns hid hung rebooked rebranded renegotiated became become switch replace replaces migrated renamed rewrote rewritten raised ' +
    'teurer billiger gunstiger pricier cheaper increased lowered reduced decreased extended postponed rescheduled moved shifted slipped delayed pushed grew upgraded downgraded took ' +
    'joined started promoted elected appointed befordert hired decided put placed parked rose climbed jumped cut trimmed halved doubled handed reassigned ' +
    'delegated lent loaned brought umgestiegen verschoben verlegt vertagt vorgezogen erhoht gesenkt reportee reporte gestiegen gesunken repousse repoussee augmente baisse subido bajado salito sceso gestegen gedaald subiu desceu decale decalee avance avancee deplacee aplazado ' +
    'aplazada aplazo pospuesto pospuso movio spostato spostata rinviato rinviata rimandato anticipato verplaatst verzet verschoven ' +
    'uitgesteld alterado adiado adiada remarcada remarcado antecipada passou',
  /** A person or a thing goes elsewhere. */
  move: 'settled moved relocated emigrated immigrated resettled moving transferred ausgewandert umgezogen gezogen zog demenage mude mudo mudado mudaron trasferito trasferita trasferiti verhuisd verhuisde mudei mudou mudaram',
  /** What was so is over. */
  end:
    `${strongEnds} ` +
    'outgrown discharged decommissioned abandoned left stepped shaved quit quitting withdrew withdrawn declined rejected revoked collected abgeholt stopped ditched dropped drop retired finished ' +
    'resigned ended divorced separated lost fired unsubscribed replaced aufgehort aufgegeben verlassen verloren getrennt beendet arrete quitte sorti sortie perdu abandonne demissionne deje ' +
    'dejo dejado perdi perdio salio salido renuncie renuncio smesso lasciato uscito uscita perso gestopt verlaten ontslag deixei deixou larguei largou perdeu parei parou saiu',
  /** What was looked for is there. */
  found:
    'found hired bought adopted rented gefunden gekauft trouve trouvee achete encontre encontrado encontramos compre trovato comprato encontrei comprei gevonden gekocht',
  /** The statement adds to others. */
  also: 'also too another additionally besides auch ausserdem außerdem aussi tambien anche ook tambem',
}

const negations =
  'not no never none without cannot t nicht kein keine keinen nie niemals pas jamais sans nunca nada sin non mai senza niet geen nooit nao nem sem'

/** A subject has one of these at a time, so another value of it is a change. */
const attributes =
  `${persons} ${offices} ` +
  'mascot motto slogan subscription surname hint tariff grade terminal link host endpoint license licence anbieter carrier supplier vendor ' +
  'passe favourite favorite name nickname colour color password passphrase code pin key number phone email mail address username handle ' +
  'url domain port path branch database language framework provider insurance bank status version size age weight height goal plan topic ' +
  'theme title about minister chancellor account capital default deadline date day time birthday start end price rent salary budget cost ' +
  'limit tier timeout interval room floor gate seat desk office shift job role position car dish food drink meal band song book film movie team ' +
  'sport hobby breed pet model brand currency timezone tone format style policy strategy destination hotel venue location place school ' +
  'university company employer contact lieblingsessen lieblingsfarbe farbe passwort nummer adresse prefere preferee couleur numero ' +
  'favorito favorita preferido preferida contrasena direccion preferito preferita colore indirizzo lievelings kleur wachtwoord adres cor ' +
  'senha endereco'

/** Texts of which there is one for each day or matter: "meeting notes 3 May" states nothing that those of 4 May replace. */
const accounts =
  'note notes minutes report log diary journal summary recap agenda newsletter photo photos page chapter episode notizen notiz protokoll bericht tagebuch compte proces rapport ' +
  'notas nota informe diario acta verbale appunti notulen verslag dagboek relatorio ata'

/** What a subject is responsible for has one responsible at a time. */
const charges =
  'call duty responsible charge care captain treasurer zustandig verantwortlich responsable responsabile verantwoordelijk responsavel'

const places =
  'in into onto inside outside between upstairs downstairs at under on behind near inside next above below im am beim unter auf hinter neben dans sous sur chez en bajo sobre sotto su nel nella onder op naast em sob no na'

/** Words of a sentence that name no matter. */
const light =
  `${mine} ${determiners} ` +
  'after all mostly mainly usually generally these those there here of to for with from by and or but so as than then if while because ' +
  'just really very quite please also still already yet only even do does don doesn didn isn aren wasn weren won couldn wouldn shouldn ' +
  'hasn haven hadn again myself you he him she hers it they them who which what will would can could should may might must shall did was ' +
  'were had been being day today yesterday tomorrow month months week weeks year years minute hour ago last next moment up down out over ' +
  'den dem des einen einem einer und oder er sie es bei nach zu zum zur von mit fur als wird wurde wurden ya ja al passed away gave given ' +
  'laid split parted ways broke les l n du et ou elle c au aux en par pour avec las se y con por para gli uno di da lui lei si ed per hij ' +
  'zij ze van naar bij met voor werd os um uma ele ela dos com hemos han hanno avete until till before every each daily ne plus mehr meer piu s ll ve d re m t longer more always ' +
  'kort kurzem poco peu pouco days old forward hours minutes thing things lot bit kind sort way good great nice dr mr mrs ms user assistant ex former formerly ehemalige ehemaliger ehemals ancien ancienne'

/** Past forms that tell an event, besides those in -ed. */
const past =
  'was were had went ate saw ran bought drank came met made said sent  drove wrote spoke felt found fell slept lost paid built won sang swam flew war waren hatte ' +
  'ging etait avait fue era aveva era was waren had foi era'

/** Actions whose form says that the writer speaks, in languages that leave out the word for it. */
const firstPerson =
  'siamo somos vivo trabajo tengo uso usamos usiamo fumo como bebo estoy soy prefiero aprendo conduzco abito lavoro amo mangio bevo preferisco imparo moro trabalho tenho sou estou gosto prefiro resido'

/** Words of one family, with the word that each is read as. */
const families = {
  came: 'arrived',
  allergy: 'allergic',
  allergies: 'allergic',
  allergie: 'allergic',
  allergisch: 'allergic',
  medica: 'medico',
  doctora: 'doctor',
  jefa: 'jefe',
  hausarztin: 'hausarzt',
  zahnarztin: 'zahnarzt',
  arztin: 'arzt',
  chefin: 'chef',
  vermieterin: 'vermieter',
  lehrerin: 'lehrer',
}

/** Said of who is dead. */
const death = 'died dead deceased gestorben mort morte murio fallecio morto morta overleden morreu faleceu'

/** After "is" they say where or how something is. */
const settled =
  'based pinned assigned back zuruck led booked stored saved kept located hosted deployed written built parked filed published held scheduled planned set tracked hidden made'

/** Where one lives. */
const dwellings =
  'flat apartment home house place studio wohnung haus appartement maison piso casa appartamento apartamento huis'

/** Articles and owners, and words for things that are at hand. */
const things = 'it them him her everything all'

export interface Wording {
  readonly firstPerson: ReadonlySet<string>
  readonly strongEnds: ReadonlySet<string>
  readonly offices: ReadonlySet<string>
  readonly families: ReadonlyMap<string, string>
  readonly death: ReadonlySet<string>
  readonly persons: ReadonlySet<string>
  readonly settled: ReadonlySet<string>
  readonly dwellings: ReadonlySet<string>
  readonly things: ReadonlySet<string>
  readonly slots: ReadonlyMap<string, Slot>
  readonly dislikes: ReadonlySet<string>
  readonly now: ReadonlySet<string>
  readonly turn: ReadonlySet<string>
  readonly move: ReadonlySet<string>
  readonly end: ReadonlySet<string>
  readonly replacing: ReadonlySet<string>
  readonly found: ReadonlySet<string>
  /** Stems. */
  readonly seeking: ReadonlySet<string>
  readonly also: ReadonlySet<string>
  readonly negations: ReadonlySet<string>
  readonly attributes: ReadonlySet<string>
  readonly states: ReturnType<typeof statesByWord>
  readonly charges: ReadonlySet<string>
  readonly accounts: ReadonlySet<string>
  readonly enjoying: ReadonlySet<string>
  readonly places: ReadonlySet<string>
  readonly light: ReadonlySet<string>
  readonly past: ReadonlySet<string>
  readonly mine: ReadonlySet<string>
  readonly determiners: ReadonlySet<string>
  readonly phrases: typeof phrases
}

let made: Wording | null = null

/** Built at the first use. */
export function wording(): Wording {
  made ??= {
    slots: new Map(
      (Object.entries(actions) as [Slot, string][]).flatMap(([slot, words]) =>
        words.split(' ').map((word) => [word, slot] as const),
      ),
    ),
    dislikes: setOf(dislikes),
    now: setOf(changes.now),
    turn: setOf(changes.turn),
    move: setOf(changes.move),
    end: setOf(changes.end),
    replacing: setOf(replacing),
    found: setOf(changes.found),
    seeking: new Set(seeking.split(' ').map(stem)),
    also: setOf(changes.also),
    negations: setOf(negations),
    attributes: new Set(attributes.split(' ').map(stem)),
    states: statesByWord(),
    enjoying: new Set(enjoying.split(' ').map(stem)),
    accounts: setOf(accounts),
    firstPerson: setOf(firstPerson),
    strongEnds: setOf(strongEnds),
    offices: new Set(offices.split(' ').map(stem)),
    families: new Map(Object.entries(families)),
    death: setOf(death),
    persons: new Set(persons.split(' ').map(stem)),
    settled: setOf(settled),
    dwellings: new Set(dwellings.split(' ').map(stem)),
    things: setOf(things),
    charges: new Set(charges.split(' ').map(stem)),
    places: setOf(places),
    light: setOf(light),
    past: setOf(past),
    mine: setOf(mine),
    determiners: setOf(determiners),
    phrases,
  }
  return made
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}
