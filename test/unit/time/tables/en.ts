/** English times at Wednesday 18 November 2026, 10:30 UTC: text → what is read: its window. */
export const en = `
what did we decide on 15 November 2026 → 15 November 2026: 15 November 2026
November 15th, 2025 → November 15th, 2025: 15 November 2025
15 November → 15 November: 15 November 2026
on 2026-11-03 → 2026-11-03: 3 November 2026
11/15/2026 → 11/15/2026: 15 November 2026
March 2026 → March 2026: March 2026
in March → March: March 2026
in the fall of 2025 → fall of 2025: 1 September to 30 November 2025
summer 2025 → summer 2025: 1 June to 31 August 2025
in winter → winter: 1 December 2025 to 28 February 2026
Q2 2026 → Q2 2026: 1 April to 30 June 2026
second quarter of 2026 → second quarter of 2026: 1 April to 30 June 2026
2024 → 2024: 2024
what happened in 2024? → 2024: 2024
yesterday → yesterday: 17 November 2026
yesterday morning → yesterday morning: 17 November 2026, 04:00 to 12:00
this morning → this morning: 18 November 2026, 04:00 to 12:00
last night → last night: 17 November 2026, 18:00 to 18 November 2026, 06:00
tonight → tonight: 18 November 2026, 18:00 to 19 November 2026, 06:00
the day before yesterday → day before yesterday: 16 November 2026
on Tuesday → Tuesday: 17 November 2026
last Tuesday → last Tuesday: 17 November 2026
next Friday → next Friday: 20 November 2026
what did I do last week → last week: 9 to 15 November 2026
last weekend → last weekend: 14 to 15 November 2026
last year → last year: 2025
this quarter → this quarter: 1 October to 31 December 2026
last March → last March: March 2026
this summer → this summer: 1 June to 31 August 2026
two weeks ago → two weeks ago: 2 to 8 November 2026
a couple of months ago → a couple of months ago: September 2026
an hour ago → an hour ago: 18 November 2026, 09:00 to 10:00
the last ten days → last ten days: 8 to 18 November 2026
the last two weeks → last two weeks: 4 to 18 November 2026
Wednesday, November 11 → Wednesday, November 11: 11 November 2026
in the last 24 hours → last 24 hours: 17 November 2026, 10:30 to 18 November 2026, 10:30
since March → since March: from 1 March 2026 on
since the 15th of March → since the 15th of March: from 15 March 2026 on
before June → before June: until 31 May 2026
until yesterday → until yesterday: until 17 November 2026
after 1 June 2026 → after 1 June 2026: from 2 June 2026 on
between May and July → between May and July: 1 May to 31 July 2026
from 5 May to 7 June 2025 → from 5 May to 7 June 2025: 5 May to 7 June 2025
May 5-7, 2023 → May 5-7, 2023: 5 to 7 May 2023`
