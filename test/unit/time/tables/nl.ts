/** Dutch times at Wednesday 18 November 2026, 10:30 UTC: text → what is read: its window. */
export const nl = `
gisteren → gisteren: 17 November 2026
gisteravond → gisteravond: 17 November 2026, 17:00 to 00:00
vanmorgen → vanmorgen: 18 November 2026, 04:00 to 12:00
vanmiddag → vanmiddag: 18 November 2026, 12:00 to 18:00
vannacht → vannacht: 18 November 2026, 18:00 to 19 November 2026, 06:00
eergisteren → eergisteren: 16 November 2026
vandaag → vandaag: 18 November 2026
wat heb ik vorige week gedaan → vorige week: 9 to 15 November 2026
afgelopen weekend → afgelopen weekend: 14 to 15 November 2026
afgelopen dinsdag → afgelopen dinsdag: 17 November 2026
komende vrijdag → komende vrijdag: 20 November 2026
op dinsdag → dinsdag: 17 November 2026
volgende week → volgende week: 23 to 29 November 2026
deze maand → deze maand: November 2026
dit jaar → dit jaar: 2026
vorige zomer → vorige zomer: 1 June to 31 August 2026
vorig maart → vorig maart: March 2026
twee weken geleden → twee weken geleden: 2 to 8 November 2026
drie dagen geleden → drie dagen geleden: 15 November 2026
een uur geleden → een uur geleden: 18 November 2026, 09:00 to 10:00
over twee weken → over twee weken: 30 November to 6 December 2026
de laatste tien dagen → laatste tien dagen: 8 to 18 November 2026
in de afgelopen drie maanden → afgelopen drie maanden: 18 August to 18 November 2026
sinds maart → sinds maart: from 1 March 2026 on
sinds vorig jaar → sinds vorig jaar: from 1 January 2025 on
sinds 15 maart → sinds 15 maart: from 15 March 2026 on
voor juni → voor juni: until 31 May 2026
tot mei → tot mei: until 31 May 2026
na 1 juni 2026 → na 1 juni 2026: from 2 June 2026 on
tussen mei en juli → tussen mei en juli: 1 May to 31 July 2026
van januari tot maart → van januari tot maart: 1 January to 31 March 2026
van 5 tot 7 mei 2023 → 5 tot 7 mei 2023: 5 to 7 May 2023
15 november → 15 november: 15 November 2026
op 15 november 2026 → 15 november 2026: 15 November 2026
15-11-2026 → 15-11-2026: 15 November 2026
maart 2026 → maart 2026: March 2026
in maart → maart: March 2026
Q2 2026 → Q2 2026: 1 April to 30 June 2026
tweede kwartaal van 2026 → tweede kwartaal van 2026: 1 April to 30 June 2026
zomer 2025 → zomer 2025: 1 June to 31 August 2025
in de zomer → zomer: 1 June to 31 August 2026
in 2024 → 2024: 2024
begin november → begin november: 1 to 10 November 2026
half oktober → half oktober: 11 to 20 October 2026
midden oktober → midden oktober: 11 to 20 October 2026
eind 2025 → eind 2025: 1 September to 31 December 2025
eind oktober → eind oktober: 21 to 31 October 2026
begin van deze maand → begin van deze maand: 1 to 10 November 2026
eind vorig jaar → eind vorig jaar: 1 September to 31 December 2025
eind van vorig jaar → eind van vorig jaar: 1 September to 31 December 2025
begin vorige week → begin vorige week: 9 to 10 November 2026
10/2026 → 10/2026: October 2026
met Kerst → Kerst: 24 to 26 December 2025
vorige Kerst → vorige Kerst: 24 to 26 December 2025
op eerste kerstdag → eerste kerstdag: 25 December 2025
Kerst 2025 → Kerst 2025: 24 to 26 December 2025
op kerstavond → kerstavond: 24 December 2025
op oudejaarsavond → oudejaarsavond: 31 December 2025
in november → november: November 2026
voor 2023 → voor 2023: until 31 December 2022
Q3 2026 → Q3 2026: 1 July to 30 September 2026
vorig kwartaal → vorig kwartaal: 1 July to 30 September 2026
derde kwartaal van 2025 → derde kwartaal van 2025: 1 July to 30 September 2025
in het derde kwartaal van 2025 → derde kwartaal van 2025: 1 July to 30 September 2025
het voorlaatste weekend → voorlaatste weekend: 7 to 8 November 2026
dinsdag twee weken geleden → dinsdag twee weken geleden: 3 November 2026
dinsdag van vorige week → dinsdag van vorige week: 10 November 2026
tussen 3 en 7 november → 3 en 7 november: 3 to 7 November 2026
3-7 november → 3-7 november: 3 to 7 November 2026
van 3 tot 7 november → 3 tot 7 november: 3 to 7 November 2026
de jaren 1990 → jaren 1990: 1 January 1990 to 31 December 1999
vanochtend → vanochtend: 18 November 2026, 04:00 to 12:00
vanavond → vanavond: 18 November 2026, 17:00 to 00:00
oktober vorig jaar → oktober vorig jaar: October 2025
afgelopen oktober → afgelopen oktober: October 2026
ongeveer twee weken geleden → twee weken geleden: 2 to 8 November 2026
een paar dagen geleden → een paar dagen geleden: 15 November 2026
een half jaar geleden → een half jaar geleden: May 2026
sinds begin 2025 → sinds begin 2025: from 1 January 2025 on
heb ik vorige week de auto gewassen → vorige week: 9 to 15 November 2026
de maandag voor 24 juli 2023 → maandag voor 24 juli 2023: 17 July 2023
de week na 3 mei 2025 → week na 3 mei 2025: 4 to 10 May 2025
in de jaren 90 → jaren 90: 1 January 1990 to 31 December 1999
de jaren negentig → jaren negentig: 1 January 1990 to 31 December 1999
in het weekend → in het weekend: 14 to 15 November 2026
de eerste vrijdag van mei → eerste vrijdag van mei: 1 May 2026
de laatste zondag van maart → laatste zondag van maart: 29 March 2026
de tweede week van juli → tweede week van juli: 5 to 17 July 2026
de week van 3 mei → week van 3 mei: 27 April to 3 May 2026
een half uur geleden → een half uur geleden: 18 November 2026, 09:52 to 10:07
op maandagochtend → maandagochtend: 16 November 2026, 04:00 to 12:00
op vrijdagavond → vrijdagavond: 13 November 2026, 17:00 to 00:00
afgelopen vrijdagavond → afgelopen vrijdagavond: 13 November 2026, 17:00 to 00:00
week 42 van 2025 → week 42 van 2025: 13 to 19 October 2025
aan het eind van de maand → eind van de maand: 21 to 31 October 2026
begin van het jaar → begin van het jaar: 1 January to 30 April 2026
met Pasen → Pasen: 3 to 6 April 2026
Pasen 2025 → Pasen 2025: 18 to 21 April 2025
met Halloween → Halloween: 31 October 2026
op Valentijnsdag → Valentijnsdag: 14 February 2026
veertien dagen geleden → veertien dagen geleden: 4 November 2026
vier juli → vier juli: 4 July 2026
de eenentwintigste juni 2024 → eenentwintigste juni 2024: 21 June 2024
wat is er op de 13e gebeurd? → 13e: 13 November 2026
tandarts vrijdag → vrijdag: 13 November 2026
donderdag half vier → donderdag half vier: 12 November 2026, 15:30 to 15:31
`
