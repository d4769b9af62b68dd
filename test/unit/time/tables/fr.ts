/** French times at Wednesday 18 November 2026, 10:30 UTC: text → what is read: its window. */
export const fr = `
hier → hier: 17 November 2026
hier soir → hier soir: 17 November 2026, 17:00 to 00:00
ce matin → ce matin: 18 November 2026, 04:00 to 12:00
cet après-midi → cet après-midi: 18 November 2026, 12:00 to 18:00
cette nuit → cette nuit: 18 November 2026, 18:00 to 19 November 2026, 06:00
avant-hier → avant-hier: 16 November 2026
aujourd'hui → aujourd'hui: 18 November 2026
qu'ai-je fait la semaine dernière → semaine dernière: 9 to 15 November 2026
le week-end dernier → week-end dernier: 14 to 15 November 2026
mardi dernier → mardi dernier: 17 November 2026
vendredi prochain → vendredi prochain: 20 November 2026
le mardi → mardi: 17 November 2026
la semaine prochaine → semaine prochaine: 23 to 29 November 2026
ce mois → ce mois: November 2026
cette année → cette année: 2026
l'été dernier → été dernier: 1 June to 31 August 2026
mars dernier → mars dernier: March 2026
il y a deux semaines → il y a deux semaines: 2 to 8 November 2026
il y a trois jours → il y a trois jours: 15 November 2026
il y a une heure → il y a une heure: 18 November 2026, 09:00 to 10:00
dans deux semaines → dans deux semaines: 30 November to 6 December 2026
les dix derniers jours → dix derniers jours: 8 to 18 November 2026
ces trois derniers mois → trois derniers mois: 18 August to 18 November 2026
depuis mars → depuis mars: from 1 March 2026 on
depuis l'année dernière → depuis l'année dernière: from 1 January 2025 on
depuis le 15 mars → depuis le 15 mars: from 15 March 2026 on
avant juin → avant juin: until 31 May 2026
jusqu'en mai → jusqu'en mai: until 31 May 2026
après le 1er juin 2026 → après le 1er juin 2026: from 2 June 2026 on
entre mai et juillet → entre mai et juillet: 1 May to 31 July 2026
de janvier à mars → de janvier à mars: 1 January to 31 March 2026
du 5 au 7 mai 2023 → 5 au 7 mai 2023: 5 to 7 May 2023
le 15 novembre → 15 novembre: 15 November 2026
15 novembre 2026 → 15 novembre 2026: 15 November 2026
15/11/2026 → 15/11/2026: 15 November 2026
le 31/10 ? → 31/10: 31 October 2026
mars 2026 → mars 2026: March 2026
en mars → mars: March 2026
T2 2026 → T2 2026: 1 April to 30 June 2026
2e trimestre 2026 → 2e trimestre 2026: 1 April to 30 June 2026
été 2025 → été 2025: 1 June to 31 August 2025
en été → été: 1 June to 31 August 2026
en 2024 → 2024: 2024
début novembre → début novembre: 1 to 10 November 2026
mi-octobre → mi-octobre: 11 to 20 October 2026
fin 2025 → fin 2025: 1 September to 31 December 2025
fin octobre → fin octobre: 21 to 31 October 2026
à la fin du mois dernier → fin du mois dernier: 21 to 31 October 2026
fin de l'année dernière → fin de l'année dernière: 1 September to 31 December 2025
début de la semaine dernière → début de la semaine dernière: 9 to 10 November 2026
10/2026 → 10/2026: October 2026
à Noël → Noël: 24 to 26 December 2025
Noël dernier → Noël dernier: 24 to 26 December 2025
le jour de Noël → jour de Noël: 25 December 2025
Noël 2025 → Noël 2025: 24 to 26 December 2025
la veille de Noël → veille de Noël: 24 December 2025
réveillon du Nouvel An → réveillon du Nouvel An: 31 December 2025
en novembre → novembre: November 2026
avant 2023 → avant 2023: until 31 December 2022
T3 2026 → T3 2026: 1 July to 30 September 2026
le trimestre dernier → trimestre dernier: 1 July to 30 September 2026
troisième trimestre 2025 → troisième trimestre 2025: 1 July to 30 September 2025
au troisième trimestre 2025 → troisième trimestre 2025: 1 July to 30 September 2025
l'avant-dernier week-end → avant-dernier week-end: 7 to 8 November 2026
l'avant-dernière semaine → avant-dernière semaine: 2 to 8 November 2026
mardi d'il y a deux semaines → mardi d'il y a deux semaines: 3 November 2026
mardi de la semaine dernière → mardi de la semaine dernière: 10 November 2026
entre le 3 et le 7 novembre → 3 et le 7 novembre: 3 to 7 November 2026
3-7 novembre → 3-7 novembre: 3 to 7 November 2026
du 3 au 7 novembre → 3 au 7 novembre: 3 to 7 November 2026
les années 1990 → années 1990: 1 January 1990 to 31 December 1999
ce soir → ce soir: 18 November 2026, 17:00 to 00:00
en octobre de l'année dernière → octobre de l'année dernière: October 2025
octobre dernier → octobre dernier: October 2026
il y a environ deux semaines → il y a environ deux semaines: 2 to 8 November 2026
il y a six mois → il y a six mois: May 2026
il y a quelques semaines → il y a quelques semaines: 26 October to 1 November 2026
depuis début 2025 → depuis début 2025: from 1 January 2025 on
première moitié de 2025 → première moitié de 2025: 1 January to 30 June 2025
à la mi-octobre → mi-octobre: 11 to 20 October 2026
le 12 octobre de l'année dernière → 12 octobre de l'année dernière: 12 October 2025
le lundi avant le 24 juillet 2023 → lundi avant le 24 juillet 2023: 17 July 2023
la semaine après le 3 mai 2025 → semaine après le 3 mai 2025: 4 to 10 May 2025
l'année après 2020 → année après 2020: 2021
le week-end avant le 4 octobre 2023 → week-end avant le 4 octobre 2023: 30 September to 1 October 2023
dans les années 90 → années 90: 1 January 1990 to 31 December 1999
les années soixante → années soixante: 1 January 1960 to 31 December 1969
pendant le week-end → pendant le week-end: 14 to 15 November 2026
le premier vendredi de mai → premier vendredi de mai: 1 May 2026
le dernier dimanche de mars → dernier dimanche de mars: 29 March 2026
la deuxième semaine de juillet → deuxième semaine de juillet: 5 to 17 July 2026
la semaine du 3 mai → semaine du 3 mai: 27 April to 3 May 2026
il y a une demi-heure → il y a une demi-heure: 18 November 2026, 09:52 to 10:07
il y a quinze jours → il y a quinze jours: 3 November 2026
lundi matin → lundi matin: 16 November 2026, 04:00 to 12:00
vendredi soir → vendredi soir: 13 November 2026, 17:00 to 00:00
samedi après-midi → samedi après-midi: 14 November 2026, 12:00 to 18:00
vendredi soir dernier → vendredi soir dernier: 13 November 2026, 17:00 to 00:00
semaine 42 de 2025 → semaine 42 de 2025: 13 to 19 October 2025
à la fin du mois → fin du mois: 21 to 31 October 2026
au début de l'année → début de l'année: 1 January to 30 April 2026
au début de la semaine → début de la semaine: 16 to 17 November 2026
à Pâques → Pâques: 3 to 6 April 2026
Pâques 2025 → Pâques 2025: 18 to 21 April 2025
à la Saint-Valentin → Saint-Valentin: 14 February 2026
le quatre juillet → quatre juillet: 4 July 2026
le vingt et un juin 2024 → vingt et un juin 2024: 21 June 2024
qu'est-ce qui s'est passé le 13 ? → 13: 13 November 2026
vendredi 13 à 10h → vendredi 13 à 10h: 13 November 2026, 10:00 to 11:00
notes du 13 → 13: 13 November 2026
dentiste vendredi → vendredi: 13 November 2026
ven 20 novembre → ven 20 novembre: 20 November 2026
14h30 demain → 14h30 demain: 19 November 2026, 14:30 to 14:31
demain à minuit → demain à minuit: 19 November 2026, 23:59 to 00:00
`
