/** Swedish: stems by Snowball; its own lists of words. */
import { stemmer } from '@orama/stemmers/swedish'
import type { Language } from './language.ts'

export const language: Language = {
  tag: 'sv',
  script: 'latin',
  stem: stemmer,
  // Definite singulars (flickan, mötet), and past tense (köpte, läste).
  bases: [
    [/(...a)n$/, '$1'],
    [/(...)et$/, '$1'],
    [/(...e)t$/, '$1'],
    [/(..[^aeiouy])te?$/, '$1'],
    [/(..)kl(?:ar|arna|arnas)$/, '$1kel'],
    [/(.[aeiouy])tt$/, '$1'],
  ],
  everydayWords:
    'adress affär allergi ansökan apelsin apotek arbete arm avtal baby bad badrum ball banan bank barn bebis bensin berg besked bil biljett bio blad blomma blus bok bord bostad brev bro bror bröd bröst buss butik byxor bär båt bök cykel dag dator dotter dryck dusch dyr dörr egg eld elev faktura familj fara farfar farmor fest fika film finger fisk flaska flicka flygplan flygplats fot frukost frukt fråga fågel födelsedag fönster förkylning förskola försäkring garage gata glas glass glasögon golv gris gräs grönsak gurka hals hand handduk handske havet hem hiss hjul hjärta hotell hund hus huvud hyra häst höst intyg jacka januari jobb jord jul julafton kaffe kalas kalender kam kamera kanin karta katt kjol klass klocka kläder klänning kniv knä kock koffert kompis kontor kopp korg korv kost kostnad kram kudde kund kyckling kylskåp kyrka kök körkort lampa land leksak leverans lista ljus lunch läkare lärare läxa lås lön löpning mage mamma mat matta medicin melk middag mjölk moln morfar morgon mormor morot motor mun musik mynt månad möte namn natt nyckel näsa nål olja ordning ost paket pappa papper paraply park pass pengar penna person plånbok pojke polis post potatis present pris prov påse raksapa ratt recept regn resa restaurang ring ris ros rum rygg räkning rök sallad salt semester sida simning sjukhus sjö skatt sked skjorta sko skog skola skrivbord skruv skåp sladd smör snö socka socker soffa sol sommar son soppa spegel spis stad station stol strand strumpa ström städning syster säng tak tallrik tand tandläkare telefon tid tidning träd trädgård tröja tull tunnelbana tvätt tvättmaskin tvål tåg tårta ugn uppgift utgift vagn vatten vecka verkstad vind vinter väder väg vägg vän värme väska vår yoga ägg äpple åska öl öra',
  // Definite singulars: nyckeln, datorn, vintern.
  endings: [
    [/(..(?:e[lr]|or))$/, '$1n'],
    [/(..(?:e[lr]|or))n$/, '$1'],
  ],
  irregular:
    'bli blev blivit,be bad bett,bita bet bitit,bjuda bjöd bjudit,binda band bundit,bryta bröt brutit,brinna brann brunnit,bära bar burit,dra drog dragit,dricka drack druckit,dö dog dött,falla föll fallit,finna fann funnit,flyga flög flugit,frysa frös frusit,få fick fått,försvinna försvann försvunnit,ge gav gett,gå gick gått,göra gjorde gjort gör,hinna hann hunnit,hålla höll hållit,komma kom kommit,le log lett,ligga låg legat,ljuga ljög ljugit,låta lät låtit,lägga lade la lagt,nysa nös,rida red ridit,rinna rann runnit,riva rev rivit,se såg sett,sitta satt suttit,sjunga sjöng sjungit,sjunka sjönk sjunkit,skina sken,skjuta sköt skjutit,skriva skrev skrivit,skära skar skurit,slå slog slagit,sluta slöt,smyga smög,sova sov sovit,springa sprang sprungit,stiga steg stigit,stjäla stal stulit,stå stod stått,säga sade sa sagt,sälja sålde sålt,sätta satte satt,ta tog tagit,vara var varit,veta visste vetat vet,vinna vann vunnit,välja valde valt,växa växte vuxit,äta åt ätit,bok böcker,fot fötter,hand händer,man män,mus möss,natt nätter,son söner,stad städer,tand tänder,bror bröder,dotter döttrar,mor mödrar,far fäder,öga ögon,öra öron',
  questionWords:
    'en ett den det de vem vad när var vart varför hur vilken vilket vilka vems är var vara varit blir blev bli har hade ha och eller i på av till från för med om vid som att han hon jag du vi ni man sig sin sitt sina hans hennes deras denna detta dessa',
  commonWords:
    'inte men också bara än så då där här mer mycket många under mellan mot utan efter före sedan genom över alla allt varje annan andra mig dig oss er dem min mitt mina din ditt dina vår vårt våra kan kunde ska skulle måste vill ville får fick ej nu redan',
  joints: ['', 's', 'e', 'o', 'u'],
}
