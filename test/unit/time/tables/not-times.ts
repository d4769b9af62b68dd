/** Texts with words that only look like times, one a line. */
export const notTimes = `
may I ask you something
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
blocks of 1T`
