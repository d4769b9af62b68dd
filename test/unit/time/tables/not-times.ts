/** Texts with words that only look like times, one a line. */
export const notTimes = `
may I ask you something
fri
Friday
jeu
Vendredi
we may 5 people need
call me maybe
the march was long
March on Rome
March of the penguins
June said hello
I saw April in the park
the May family
with April and June
August Strindberg wrote plays
Mars Attacks
version 2.11
version 2024.1 of the library
room 2024
see page 2024
chapter 1999
$2024 or 2024 €
2024 items were sold
in 2024 cases it failed
a total of 2024 records
#2024
10.0.0.1 and 192.168.1.1
1.2.2024.5
src/2026-11-03-notes.md
call 2026-11-03-55
30/02/2026
2026-13-01
24/7 support
3-4 players
10 of 12
1/2/3
a second look
in second place
on the 3rd try
at 2020 Main Street
in Spring Boot
spring cleaning
before the fall
fall over
winter is coming
summer vibes
Sunday roast
Mira moves the deploy to Friday
friday deploys are off
sun set
real estate 2025
the last day of school
last minute changes
at last, next to the door
this is it
in one go
one day, some day
a week of rain, ten days of sun
every week
for two weeks
half past two
minute details
hour of need
was steht hier
ich bin hier im Büro
auf Mai komm raus
la segunda vez
martes y 13
mar adentro
na segunda parte
sexta edição
Marco Polo
j'ai été en retard
il mare d'inverno
the plays of the 1980's
ce mai este de făcut
blocks of 1T
may
march on
the 10/20 rule
version 10/2026-rc
version 10/2026
Ley Orgánica 3/2018
10/2026 tests passed
invoice 10/2026
pages 3/2024 and 4/2024 of the file
13/2026
src/10/2026/index.ts
call 555-10/2026
+49 30 10/2026
2/3 of the votes
won 3/2 in the final
a score of 21/19
second quarter of the game
the first half of the match
the last week of school
the last year of the project
early bird
early may be better
the late June Carter
an early April Ludgate quote
mid-range phones
end of file
the end of the road
start of 2000 requests
at the beginning of chapter 3
middle name
late fees
halfway there
the other day
recently
not long ago
once upon a time
Christmas party list
the Christmas tree
a Christmas Carol
at Christmas dinner
at Christmas Island
before the Christmas shopping
for Christmas
Christmas Eve dinner recipe
a New Year's Eve party
the song about Christmas
blocks of 1990s
the 1990s
week before lunch
the one before last
the name before last
Silvester Stallone
Weihnachtsfeier planen
Ende der Straße
Mitte der Stadt
Anfang der Woche der Wahrheit
die letzte Woche des Projekts
père Noël
fête de Noël
fin de partie
milieu de gamme
l'autre jour
cena de Navidad
fin de la historia
el otro día
última semana de trabajo
mitad de precio
férias em Natal
fim de papo
outro dia
albero di Natale
fine del gioco
l'altro giorno
metà prezzo
kerstboom kopen
half uur
begin van het verhaal
eind goed, al goed
onlangs
this may be wrong
this may last for days
the week before the launch
the day after the party
sunday after church
weekend after weekend
the year before college
1/2000 in the UK are carriers
the weekend of a lifetime
weekend plans
Saturday Night Live
Friday night dinner recipes
week 3 of the course
in his nineties
a fifties style dress
the first Monday
Easter eggs
a Halloween costume
at Easter dinner
the second week of pregnancy
half an hour of music
the end of the week of silence
at the end of the day
0 days ago
1000 days ago
the last hour of the film
temperatures in 90s
the 90 people
first of all
the fourth wall
ein Wochenende in Paris
zweite Woche krank
die Woche vom Glück
fin de semana
un fin de semana en París
noventa minutos
en noventa días
negentig minuten
trenta minuti
un week-end à Paris
la semaine du goût
a semana de moda
los años 20
on 5/6
on 05/06
support on 24/7
we run on 3.11.
on Ubuntu 22.04.
seit 18.04 läuft es
am 3.5 Liter
am 31.2.
el 1/2 kilo
le 12/25
läuft am 3.11.2
on the 13th floor
the 13th floor of the hotel
on the 2nd attempt
the second march against the war
you may first have to wait
Friday 13 people came
am 13. Geburtstag
le 13 personnes
el 13 de la lista
sept jours
on the 0th
on the 32nd
Monday 5
el 0
we shop on each Black Friday 10:30
menu Friday: fish
in the 13th century
the list of 13
Black Friday
a poster of Black Friday
Herr Freitag
Frau Montag
sun cream
the cat sat
so 10 Leute
the mon key
half past the wall
6月のカレンダー
`
