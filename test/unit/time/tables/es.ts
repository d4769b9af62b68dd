/** Spanish times at Wednesday 18 November 2026, 10:30 UTC: text → what is read: its window. */
export const es = `
ayer → ayer: 17 November 2026
ayer por la noche → ayer por la noche: 17 November 2026, 18:00 to 18 November 2026, 06:00
esta mañana → esta mañana: 18 November 2026, 04:00 to 12:00
esta tarde → esta tarde: 18 November 2026, 12:00 to 18:00
anoche → anoche: 17 November 2026, 18:00 to 18 November 2026, 06:00
anteayer → anteayer: 16 November 2026
hoy → hoy: 18 November 2026
qué hice la semana pasada → semana pasada: 9 to 15 November 2026
el fin de semana pasado → fin de semana pasado: 14 to 15 November 2026
el martes pasado → martes pasado: 17 November 2026
el próximo viernes → próximo viernes: 20 November 2026
la próxima semana → próxima semana: 23 to 29 November 2026
la semana que viene → semana que viene: 23 to 29 November 2026
este mes → este mes: November 2026
este año → este año: 2026
el verano pasado → verano pasado: 1 June to 31 August 2026
el pasado marzo → pasado marzo: March 2026
hace dos semanas → hace dos semanas: 2 to 8 November 2026
hace tres días → hace tres días: 15 November 2026
hace una hora → hace una hora: 18 November 2026, 09:00 to 10:00
dentro de dos semanas → dentro de dos semanas: 30 November to 6 December 2026
los últimos diez días → últimos diez días: 8 to 18 November 2026
en los últimos tres meses → últimos tres meses: 18 August to 18 November 2026
desde marzo → desde marzo: from 1 March 2026 on
desde el año pasado → desde el año pasado: from 1 January 2025 on
desde el 15 de marzo → desde el 15 de marzo: from 15 March 2026 on
antes de junio → antes de junio: until 31 May 2026
hasta mayo → hasta mayo: until 31 May 2026
después del 1 de junio de 2026 → después del 1 de junio de 2026: from 2 June 2026 on
entre mayo y julio → entre mayo y julio: 1 May to 31 July 2026
de enero a marzo → de enero a marzo: 1 January to 31 March 2026
del 5 al 7 de mayo de 2023 → 5 al 7 de mayo de 2023: 5 to 7 May 2023
15 de noviembre → 15 de noviembre: 15 November 2026
el 15 de noviembre de 2026 → 15 de noviembre de 2026: 15 November 2026
15/11/2026 → 15/11/2026: 15 November 2026
el 31/10 → 31/10: 31 October 2026
el día 31/10 → 31/10: 31 October 2026
marzo de 2026 → marzo de 2026: March 2026
en marzo → marzo: March 2026
T2 2026 → T2 2026: 1 April to 30 June 2026
segundo trimestre de 2026 → segundo trimestre de 2026: 1 April to 30 June 2026
verano de 2025 → verano de 2025: 1 June to 31 August 2025
en verano → verano: 1 June to 31 August 2026
en 2024 → 2024: 2024
principios de noviembre → principios de noviembre: 1 to 10 November 2026
a mediados de octubre → mediados de octubre: 11 to 20 October 2026
finales de 2025 → finales de 2025: 1 September to 31 December 2025
a finales de octubre → finales de octubre: 21 to 31 October 2026
fin de octubre → fin de octubre: 21 to 31 October 2026
a principios de este mes → principios de este mes: 1 to 10 November 2026
a finales del año pasado → finales del año pasado: 1 September to 31 December 2025
principios de la semana pasada → principios de la semana pasada: 9 to 10 November 2026
10/2026 → 10/2026: October 2026
en Navidad → Navidad: 24 to 26 December 2025
la Navidad pasada → Navidad pasada: 24 to 26 December 2025
el día de Navidad → día de Navidad: 25 December 2025
Navidad de 2025 → Navidad de 2025: 24 to 26 December 2025
en Nochebuena → Nochebuena: 24 December 2025
en Nochevieja → Nochevieja: 31 December 2025
en noviembre → noviembre: November 2026
antes de 2023 → antes de 2023: until 31 December 2022
T3 2026 → T3 2026: 1 July to 30 September 2026
el trimestre pasado → trimestre pasado: 1 July to 30 September 2026
tercer trimestre de 2025 → tercer trimestre de 2025: 1 July to 30 September 2025
en el tercer trimestre de 2025 → tercer trimestre de 2025: 1 July to 30 September 2025
la semana antepasada → semana antepasada: 2 to 8 November 2026
el martes de hace dos semanas → martes de hace dos semanas: 3 November 2026
el martes de la semana pasada → martes de la semana pasada: 10 November 2026
entre el 3 y el 7 de noviembre → 3 y el 7 de noviembre: 3 to 7 November 2026
3-7 de noviembre → 3-7 de noviembre: 3 to 7 November 2026
del 3 al 7 de noviembre → 3 al 7 de noviembre: 3 to 7 November 2026
los años 1990 → años 1990: 1 January 1990 to 31 December 1999
la década de 1990 → década de 1990: 1 January 1990 to 31 December 1999
esta noche → esta noche: 18 November 2026, 18:00 to 19 November 2026, 06:00
en octubre del año pasado → octubre del año pasado: October 2025
octubre pasado → octubre pasado: October 2026
hace unas dos semanas → hace unas dos semanas: 2 to 8 November 2026
hace unos días → hace unos días: 15 November 2026
hace medio año → hace medio año: May 2026
desde principios de 2025 → desde principios de 2025: from 1 January 2025 on
la última semana de mayo → última semana de mayo: 21 to 31 May 2026
el lunes antes del 24 de julio de 2023 → lunes antes del 24 de julio de 2023: 17 July 2023
la semana después del 3 de mayo de 2025 → semana después del 3 de mayo de 2025: 4 to 10 May 2025
el día después del 3 de mayo de 2025 → día después del 3 de mayo de 2025: 4 May 2025
el fin de semana antes del 4 de octubre de 2023 → fin de semana antes del 4 de octubre de 2023: 30 September to 1 October 2023
en los años 90 → años 90: 1 January 1990 to 31 December 1999
los años noventa → años noventa: 1 January 1990 to 31 December 1999
en el fin de semana → en el fin de semana: 14 to 15 November 2026
durante el fin de semana → durante el fin de semana: 14 to 15 November 2026
el primer viernes de mayo → primer viernes de mayo: 1 May 2026
el último domingo de marzo → último domingo de marzo: 29 March 2026
la segunda semana de julio → segunda semana de julio: 5 to 17 July 2026
la semana del 3 de mayo → semana del 3 de mayo: 27 April to 3 May 2026
hace media hora → hace media hora: 18 November 2026, 09:52 to 10:07
hace quince días → hace quince días: 3 November 2026
el lunes por la mañana → lunes por la mañana: 16 November 2026, 04:00 to 12:00
el viernes por la noche → viernes por la noche: 13 November 2026, 18:00 to 14 November 2026, 06:00
el viernes pasado por la noche → viernes pasado por la noche: 13 November 2026, 18:00 to 14 November 2026, 06:00
semana 42 de 2025 → semana 42 de 2025: 13 to 19 October 2025
a finales de mes → finales de mes: 21 to 31 October 2026
a final del mes → final del mes: 21 to 31 October 2026
al principio del año → principio del año: 1 January to 30 April 2026
en Pascua → Pascua: 3 to 6 April 2026
Pascua de 2025 → Pascua de 2025: 18 to 21 April 2025
en Halloween → Halloween: 31 October 2026
en San Valentín → San Valentín: 14 February 2026
el cuatro de julio → cuatro de julio: 4 July 2026
el treinta y uno de diciembre → treinta y uno de diciembre: 31 December 2025
¿qué pasó el día 13? → 13: 13 November 2026
viernes 13 → viernes 13: 13 November 2026
notas del 13 → 13: 13 November 2026
comida con Ana viernes → viernes: 13 November 2026
vie 20 noviembre → vie 20 noviembre: 20 November 2026
`
