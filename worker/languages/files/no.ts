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
  everydayWords:
    'adresse allergi apotek appelsin arbeid arm avis avtale baby bad baderom baker ball banan bank barn bensin bil billett blad blomst bluse bok bord brev bro bror brød bukse bursdag buss butikk by båt bær dag datter dør egg eksamen elev eple faktura familie ferie fest film finger fisk fjell flaske fly forsikring fot frokost frukt fugl førerkort gate gave glass gress grønnsak gulrot gulv hage hals hest hjerte hjul hotell hund hus husleie hylle hånd håndkle hår høst innkjøp is jakke jord jul julaften kaffe kake kalender kamera katt kirke kjole kjøkken kjøleskap klasse klokke kne kniv kontor kopp kort kvittering lampe lege leilighet leke lunsj lys lærer lønn mat matte medisin melk middag mor morgen motor munn musikk måned møte nabo natt navn nese nøkkel olje ost pakke papir paraply park pass penger plaster politi post potet pris pære pølse regn regning reise restaurant ring ris rom rygg salat salt sang seng sjokolade skap skatt skje skjerf skjorte sko skog skole skrivebord smør snø sofa sokk sol sommer speil stasjon stol strand strøm stue suppe sykehus sykkel syltetøy søknad søster søvn tak tallerken tann tannlege tau telefon teppe tid tog trapp tre tråd trøye tur uke utgift vann vask vaskemaskin vei vekt venn verksted veske vindu vinter vår vær øl øre',
  irregular:
    'be bad bedt,bite bet bitt,bli ble blitt,bringe brakte brakt,bryte brøt brutt,bære bar båret,by bød budt,dra dro dratt,drikke drakk drukket,dø døde dødd,falle falt,finne fant funnet,fly fløy fløyet,fryse frøs frosset,få fikk fått,gi ga gitt,gjøre gjorde gjort gjør,gå gikk gått,hjelpe hjalp hjulpet,holde holdt,komme kom kommet,la lot latt,le lo ledd,ligge lå ligget,lyve løy løyet,legge la lagt,løpe løp løpt,ri red ridd,se så sett,sitte satt sittet,si sa sagt,skrive skrev skrevet,skyte skjøt skutt,skjære skar skåret,slå slo slått,sove sov sovet,spørre spurte spurt,springe sprang sprunget,stige steg steget,stjele stjal stjålet,stå sto stod stått,synge sang sunget,selge solgte solgt,sette satte satt,ta tok tatt,treffe traff truffet,trekke trakk trukket,telle talte talt,vite visste visst vet,vinne vant vunnet,velge valgte valgt,være var vært,bok bøker bøkene,fot føtter,hånd hender,mann menn,natt netter,tann tenner,bror brødre,datter døtre,mor mødre,far fedre,øye øyne,barn barna',
  questionWords:
    'en ei et den det de hvem hva når hvor hvorfor hvordan hvilken hvilket hvilke er var være vært blir ble bli har hadde ha og eller i på av til fra for med om ved som at å han hun jeg du vi dere man seg sin sitt sine hans hennes deres denne dette disse',
  commonWords:
    'ikke men også bare enn så da der her mer mye mange under mellom mot uten etter før siden gjennom over alle alt hver annen andre meg deg oss dem min mitt mine din ditt dine vår vårt våre kan kunne skal skulle må måtte vil ville får fikk nå allerede',
  joints: ['', 's', 'e'],
}
