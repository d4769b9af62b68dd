/** The words by which chat turns and requests are read, as data, in the languages of the time reader: en de fr es it nl pt. Folded. */

/** Words of turns that say nothing: greetings, thanks, agreement. A turn of only such words is small talk. */
const courtesies =
  'hi hello hey hiya howdy yo good morning afternoon evening night day bye goodbye see you later soon tomorrow thanks thank thx cheers ok okay k alright cool great nice perfect awesome lovely ' +
  'wonderful yes yeah yep no nope sure right fine well so please sorry welcome haha lol wow oh ah hm hmm there all everyone friend much very a lot again for the that help your how are is it going ' +
  'what s up sup can was an to meet pleasure talk talking enough today interesting really too and nice weekend ' +
  'hallo guten morgen tag abend nacht danke dir schon bitte tschuss servus moin na wie geht s es ihnen gut alles klar super toll ja nein vielen dank bis bald spater gern gerne und ' +
  'bonjour bonsoir salut merci beaucoup ca va comment allez vous au revoir oui non d accord bien tres a bientot et toi ' +
  'hola buenos dias buenas tardes noches gracias muchas que tal como estas adios hasta luego si vale bien muy ' +
  'ciao buongiorno buonasera grazie mille come stai arrivederci va bene prego ' +
  'goedemorgen goedenavond dank je wel bedankt doei hoe gaat het met ' +
  'ola bom dia boa tarde noite obrigado obrigada tudo bem tchau ate logo'

/** What only opens or closes a talk, whatever its words. */
export const smallTalk =
  /^\W*(?:how are (?:you|things)|how(?: i|')s it going|how do you do|how was your (?:day|weekend|week)|what(?: i|')?s up|what can you do|who are you|what are you|what(?: i|')?s your name|are you (?:there|ok|okay|real|a (?:robot|bot|human|person)|an ai)|can (?:you|i) (?:please )?(?:help me|ask (?:you )?(?:something|a question))|i (?:have|ve got) a (?:quick )?question|(?:tell|make) me (?:a|another) (?:joke|fun fact|riddle|poem|laugh)|do you (?:understand|speak|know me|sleep|dream)|nice to (?:meet|see) you|long time no see|have a (?:nice|good|great) \w+|i(?: a)?m (?:fine|good|ok|okay|well|great|back|here)|wie geht|was kannst du|wer bist du|kannst du mir (?:bitte )?helfen|erzahl mir einen witz|comment (?:ca va|vas tu|allez vous)|qui es tu|raconte moi une blague|que tal|quien eres|cuentame un chiste|come stai|chi sei|hoe gaat het|wie ben je|tudo bem|quem e voce)\b/

/** First words of questions. */
const interrogatives =
  'what which who whom whose when where why how is are am was were do does did can could should would will shall may might has have isn aren don doesn didn can won ' +
  'was welche welcher welches welchen wer wem wen wessen wann wo wohin woher warum wieso weshalb wie ist sind bin hat habe haben hast kann kannst konnen soll sollte wird darf wieviel worauf womit ' +
  'que quel quelle quels quelles qui quand ou pourquoi comment combien est sont puis peux faut dois ' +
  'cual cuales quien quienes cuando donde adonde por como cuanto cuantos cuanta cuantas es son esta estan puedo debo ' +
  'che quale quali chi quando dove perche come quanto quanti quante e sono posso devo ' +
  'wat welke wie wanneer waar waarom hoe is zijn heeft hebben kan moet mag ' +
  'qual quais quem onde quanto quantos quantas posso devo'

/** First words of requests that ask for something to be done. */
const requests =
  'suggest recommend write plan book cook bake make give create draft prepare order find pick choose list send release deploy push build fix run propose design organise organize schedule arrange ' +
  'buy compose generate summarise summarize translate convert show tell explain help check test merge commit update add set reserve call email reply answer compare calculate draw outline invent ' +
  'remind advise let put get start stop open close remove delete sort rank rate review improve rewrite refactor print pack ' +
  'schlag schlage empfiehl empfehle schreib schreibe plane buche koche backe mach mache gib erstelle bereite bestelle finde such suche wahle sende schick schicke zeig zeige erklar erklare hilf nenne liste sag ' +
  'suggere propose recommande ecris planifie reserve cuisine fais donne cree prepare commande trouve choisis envoie montre explique aide cherche dis liste conseille ' +
  'sugiere sugiereme recomienda recomiendame escribe escribeme planea planifica reserva cocina haz hazme dame crea prepara preparame pide encuentra busca elige envia muestra explica ayuda ayudame dime propon ' +
  'suggerisci suggeriscimi consiglia consigliami scrivi scrivimi pianifica prenota cucina fai fammi dammi crea prepara ordina trova scegli invia mostra spiega aiutami dimmi proponi ' +
  'stel raad schrijf plan boek kook bak maak geef bereid bestel vind zoek kies stuur toon leg help noem ' +
  'sugira recomende escreva planeje reserve cozinhe faca crie prepare encontre escolha envie mostre explique ajude diga proponha'

/** Asks for advice or a deed, in a question. */
export const advice =
  /\b(?:(?:can|could|would|will) you|should (?:i|we)|shall (?:i|we)|what (?:can|could) (?:i|we)|let(?: u|')?s|i(?: woul)?d (?:like|love|need)|i (?:need|want) (?:you|an?|some|to)|help me|any (?:ideas?|tips?|suggestions?|recommendations?)|ideas? for|kannst du|konntest du|konnten sie|soll(?:te)? ich|sollen wir|was kann ich|ich (?:brauche|mochte|hatte gern)|peux tu|pourrais tu|pouvez vous|dois je|devrais je|que puis je|je (?:voudrais|veux)|j ai besoin|puedes|podrias|deberia|debo|que puedo|quiero|quisiera|necesito|puoi|potresti|dovrei|cosa posso|vorrei|ho bisogno|kun je|kunt u|zou je|moet ik|zal ik|wat kan ik|ik wil|podes|pode|poderia|devo|deveria|quero|preciso)\b/

/** The writer and what is theirs. */
const self =
  'i me my mine myself we us our ours ich mich mir mein meine meinen meinem meiner wir uns unser unsere je j moi mon ma mes nous notre nos ' +
  'yo mi mis mio nosotros nuestro nuestra io mia miei mie noi nostro nostra ik mij mijn wij we ons onze eu meu minha meus minhas nos nosso nossa'

/** Where "me" is only the listener, or "I" means anybody: "tell me", "how do I". */
export const indirect =
  /\b(?:(?:tell|give|show|send|teach|remind|help|let|get|find|bring|write|read|sing|explain(?: to)?|describe to|advise|ask) (?:me|us)|(?:how|where) (?:do|can|would|should|could) (?:i|we)(?! (?:live|work|study|usually|normally|always|often|like|keep|store|park|put|leave|go|prefer|take|drink|eat|sleep|train|run|swim|feel))|(?:explain|describe)\b.{1,80}?\bto (?:me|us)|for (?:me|us)|i (?:wonder|guess|think|mean|want to know|would like to know|d like to know)|sag mir|erklare? mir|erzahl mir|zeig mir|gib mir|nenn mir|hilf mir|wie (?:kann|mache|koche|schreibe) ich|kann ich|dis moi|explique moi|donne moi|montre moi|aide moi|comment puis je|puis je|dime|explicame|dame|muestrame|como puedo|puedo|dimmi|spiegami|dammi|mostrami|come posso|posso|vertel me|geef me|leg me uit|laat me|hoe kan ik|kan ik|me (?:diga|explique|mostre)|como posso)\b/g

/** Matters of constraints: what somebody cannot have matters to requests about the same. Stems are made of the words. */
const domains: readonly string[] = [
  'food eat eats eating ate drink drinks drinking meal meals dinner lunch breakfast brunch supper snack snacks cook cooking bake baking recipe recipes cake cakes dessert desserts dish dishes menu restaurant ' +
    'restaurants cafe bar food foods ingredient ingredients grocery groceries barbecue bbq picnic buffet party pizza pasta soup salad sandwich sushi curry burger pie tart cookie cookies waffle waffles pancake pancakes ' +
    'bread chocolate cheese milk dairy lactose gluten celiac coeliac vegan vegetarian vegetarians vegetarianism pescatarian kosher halal allergic allergy allergies intolerant intolerance nut nuts peanut peanuts ' +
    'pork beef meat fish seafood shellfish shrimp egg eggs wheat soy sugar diabetic diet alcohol wine beer coffee tea juice cocktail spicy mushroom mushrooms onion onions catering potluck stew roast grill ' +
    'essen trinken mahlzeit abendessen mittagessen fruhstuck kochen backen rezept rezepte kuchen torte nachtisch dessert gericht gerichte speise restaurant zutaten einkaufsliste grillen fleisch schweinefleisch fisch milch laktose ' +
    'zoliakie glutenfrei vegetarisch vegetarier vegetarierin veganer allergisch allergie nusse erdnusse kase eier kaffee tee wein bier suppe salat waffeln pfannkuchen brot lasagne ' +
    'manger boire repas diner dejeuner souper recette recettes gateau gateaux plat plats cuisiner restaurant ingredients viande porc poisson lait lactose gluten coeliaque vegetarien vegetarienne allergique allergie noix arachides ' +
    'fromage oeufs vin biere soupe salade gaufres crepes tarte ' +
    'comer beber comida cena almuerzo desayuno receta recetas pastel tarta plato platos cocinar restaurante ingredientes carne cerdo pescado leche lactosa gluten celiaco celiaca vegetariano vegetariana alergico alergica alergia nueces cacahuetes ' +
    'queso huevos vino cerveza sopa ensalada pan paella ' +
    'mangiare bere cena pranzo colazione ricetta ricette torta dolce piatto cucinare ristorante maiale pesce latte lattosio glutine celiaco celiaca allergico allergica noci arachidi formaggio uova ' +
    'eten drinken maaltijd avondeten recept recepten taart gerecht koken vlees varkensvlees melk lactose allergisch noten kaas eieren ' +
    'jantar cafe receita receitas bolo prato cozinhar carne porco peixe leite lactose alergico alergica queijo ovos',
  'film films movie movies series show shows watch watching horror comedy cinema theatre theater documentary thriller tv streaming netflix song songs music concert band album book books novel novels read reading ' +
    'serie serien kino schauen ansehen horrorfilm horrorfilme musik konzert buch bucher lesen roman regarder cinema livre livres lire musique pelicula peliculas cine libro libros leer musica guardare libro libri leggere kijken boek boeken lezen filme filmes assistir livro livros ler',
  'travel trip trips flight flights fly flying train hotel hotels seat seats window aisle vacation holiday holidays journey drive driving cruise heights vertigo airport boat seasick hike hiking climb ' +
    'reise reisen flug fliegen zug bahn urlaub sitzplatz fensterplatz hohenangst wandern voyage vol avion train vacances vertige viaje vuelo avion tren vacaciones vertigo viaggio volo treno vacanze reis vlucht trein vakantie viagem voo trem ferias',
  'wear wearing clothes shirt shoes dress jacket wool cotton colour color gift gifts present presents kleidung tragen wolle geschenk geschenke vetements porter laine cadeau cadeaux ropa lana regalo regalos vestiti kleding cadeau roupa presente',
  'sport sports run running swim swimming gym workout training exercise knee knees wrist asthma yoga training laufen schwimmen knie ubungen courir nager genou entrenamiento correr rodilla',
]

export interface Said {
  readonly courtesies: ReadonlySet<string>
  readonly interrogatives: ReadonlySet<string>
  readonly requests: ReadonlySet<string>
  readonly self: ReadonlySet<string>
  readonly domains: readonly ReadonlySet<string>[]
}

let made: Said | null = null

/** Built at the first use. */
export function saidWording(): Said {
  const setOf = (words: string) => new Set(words.split(' '))
  made ??= {
    courtesies: setOf(courtesies),
    interrogatives: setOf(interrogatives),
    requests: setOf(requests),
    self: setOf(self),
    domains: domains.map(setOf),
  }
  return made
}
