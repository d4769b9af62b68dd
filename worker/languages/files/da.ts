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
  everydayWords:
    'adresse aftale aften allergi ansøgning apotek appelsin arbejde arm avis baby bad badeværelse bager banan bank barn benzin bil billet biograf bjerg blad blomst bluse bog bold bord brev bro bror brød bukser bus butik by båd bær cykel dag datter dør eksamen elev faktura familie ferie fest film finger fisk flaske fly fod forsikring forår frakke frokost frugt fugl fødselsdag gade gave glas græs grøntsag gulerod gulv hals halsduk hat have hest hjerne hjerte hjul hospital hotel hund hus husleje hylde hånd håndklæde hår indkøb is jakke jord jul juleaften kaffe kage kalender kamera kat kirke kjole klasse klokke kniv knæ kontor kop kort kø køkken køleskab kørekort lampe lampen legetøj lejlighed lys læge lærer løn mad medicin middag mor morgen motor mund mus musik måned mælk møde nabo nat navn næse nøgle olie ost pakke papir paraply park pas penge pizza plaster politi post pris pung pære pølse regn regning rejse restaurant ring ris rum ryg rød saft salat salt sang seng skab skat ske skjorte sko skole skov skrivebord skål smør sne sofa sol sommer spejl station stol strand strøm strømpe stue stykke suppe sygehus syltetøj søster søvn tag tallerken tand tandlæge taske telefon tid tog trappe træ trøje tæppe udgift uge ur vand vask vaskemaskine vej vejr ven vindue vinter værelse værksted æble æg øl øre',
  irregular:
    'bede bad bedt,bide bed bidt,blive blev blevet,bringe bragte bragt,bryde brød brudt,bære bar båret,byde bød budt,dø døde,drikke drak drukket,drive drev drevet,falde faldt faldet,finde fandt fundet,flyve fløj fløjet,fryse frøs frosset,få fik fået,give gav givet,gøre gjorde gjort gør,gå gik gået,have havde haft,hjælpe hjalp hjulpet,holde holdt,komme kom kommet,lade lod ladet,le lo,ligge lå ligget,lyve løj løjet,lægge lagde lagt,løbe løb løbet,nyde nød nydt,ride red redet,ryge røg røget,se så set,sidde sad siddet,sige sagde sagt,skrige skreg,skrive skrev skrevet,skyde skød skudt,skære skar skåret,slå slog slået,sove sov sovet,spørge spurgte spurgt,springe sprang sprunget,stige steg steget,stjæle stjal stjålet,stå stod stået,synge sang sunget,synke sank sunket,sælge solgte solgt,sætte satte sat,tage tog taget,træde trådte trådt,træffe traf truffet,trække trak trukket,tælle talte talt,vide vidste vidst ved,vinde vandt vundet,vælge valgte valgt,være var været,barn børn børnene,bog bøger bøgerne,fod fødder,hånd hænder,mand mænd,nat nætter,søn sønner,tand tænder,bror brødre,datter døtre,mor mødre,far fædre,øje øjne,ko køer',
  questionWords:
    'en et den det de hvem hvad hvornår hvor hvorfor hvordan hvilken hvilket hvilke hvis er var være været bliver blev blive har havde have og eller i på af til fra for med om ved som at han hun jeg du vi i man sig sin sit sine hans hendes deres denne dette disse',
  commonWords:
    'ikke men også kun end så da der her mere meget mange under mellem mod uden efter før siden gennem over alle alt hver anden andre mig dig os jer dem min mit mine din dit dine vor vores kan kunne skal skulle må måtte vil ville får fik nu allerede',
  joints: ['', 's', 'e'],
}
