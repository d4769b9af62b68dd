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
from October to January → from October to January: 1 October 2026 to 31 January 2027
between November 2025 and February → between November 2025 and February: 1 November 2025 to 28 February 2026
from 5 May to 7 June 2025 → from 5 May to 7 June 2025: 5 May to 7 June 2025
May 5-7, 2023 → May 5-7, 2023: 5 to 7 May 2023
early November → early November: 1 to 10 November 2026
mid-October → mid-October: 11 to 20 October 2026
late 2025 → late 2025: 1 September to 31 December 2025
end of October → end of October: 21 to 31 October 2026
at the end of October → end of October: 21 to 31 October 2026
beginning of this month → beginning of this month: 1 to 10 November 2026
end of last year → end of last year: 1 September to 31 December 2025
the end of last year → end of last year: 1 September to 31 December 2025
start of 2025 → start of 2025: 1 January to 30 April 2025
middle of next week → middle of next week: 25 to 26 November 2026
early last week → early last week: 9 to 10 November 2026
the end of yesterday → yesterday: 17 November 2026
10/2026 → 10/2026: October 2026
15/11/2026 → 15/11/2026: 15 November 2026
on 31/10 → 31/10: 31 October 2026
on 10/31? → 10/31: 31 October 2026
the week of Christmas → week of Christmas: 22 to 28 December 2025
Christmas week → Christmas week: 22 to 28 December 2025
what did we eat in Christmas week? → Christmas week: 22 to 28 December 2025
in Halloween week → Halloween week: 26 October to 1 November 2026
Thanksgiving week → Thanksgiving week: 24 to 30 November 2025
Christmas Eve week → Christmas Eve week: 22 to 28 December 2025
from Monday to Wednesday last week → from Monday to Wednesday last week: 9 to 11 November 2026
from Tuesday to Friday next week → from Tuesday to Friday next week: 24 to 27 November 2026
between Monday and Thursday last week → between Monday and Thursday last week: 9 to 12 November 2026
from Saturday until Tuesday last week → from Saturday until Tuesday last week: 7 to 10 November 2026
the weekend → the weekend: 14 to 15 November 2026
last Christmas → last Christmas: 24 to 26 December 2025
at Christmas → Christmas: 24 to 26 December 2025
on Christmas Day → Christmas Day: 25 December 2025
Christmas Eve 2025 → Christmas Eve 2025: 24 December 2025
on New Year's Eve → New Year's Eve: 31 December 2025
Christmas 2025 → Christmas 2025: 24 to 26 December 2025
since Christmas → since Christmas: from 24 December 2025 on
in 2024 → 2024: 2024
in November → November: November 2026
before 2023 → before 2023: until 31 December 2022
Q3 2026 → Q3 2026: 1 July to 30 September 2026
last quarter → last quarter: 1 July to 30 September 2026
third quarter of 2025 → third quarter of 2025: 1 July to 30 September 2025
the weekend before last → weekend before last: 7 to 8 November 2026
the week before last → week before last: 2 to 8 November 2026
the year before last → year before last: 2024
two weeks ago on Tuesday → two weeks ago on Tuesday: 3 November 2026
Tuesday two weeks ago → Tuesday two weeks ago: 3 November 2026
between 3 and 7 November → 3 and 7 November: 3 to 7 November 2026
3rd–7th November → 3rd–7th November: 3 to 7 November 2026
3-7 November 2026 → 3-7 November 2026: 3 to 7 November 2026
Tuesday last week → Tuesday last week: 10 November 2026
on Monday of last week → Monday of last week: 9 November 2026
first half of 2025 → first half of 2025: 1 January to 30 June 2025
in the first week of May → first week of May: 1 to 10 May 2026
second half of October → second half of October: 16 to 31 October 2026
last October → last October: October 2026
October last year → October last year: October 2025
summer of last year → summer of last year: 1 June to 31 August 2025
in the last quarter → last quarter: 1 July to 30 September 2026
in Q3 → Q3: 1 July to 30 September 2026
in early March 2024 → early March 2024: 1 to 10 March 2024
since early 2025 → since early 2025: from 1 January 2025 on
before the end of October → before the end of October: until 31 October 2026
between early May and mid-June → between early May and mid-June: 1 May to 20 June 2026
at noon today → at noon today: 18 November 2026, 12:00 to 12:01
this time last year → last year: 2025
about two weeks ago → two weeks ago: 2 to 8 November 2026
half a year ago → half a year ago: May 2026
over the past month → past month: October 2026
in the past few weeks → past few weeks: 28 October to 18 November 2026
over the last week → last week: 9 to 15 November 2026
past year → past year: 2025
on 3 Nov → 3 Nov: 3 November 2026
Nov 2025 → Nov 2025: November 2025
in the 1990s → 1990s: 1 January 1990 to 31 December 1999
next Christmas → next Christmas: 24 to 26 December 2026
Christmas last year → Christmas last year: 24 to 26 December 2025
what happened in 10/2026? → 10/2026: October 2026
October 12 last year → October 12 last year: 12 October 2025
last week of May → last week of May: 21 to 31 May 2026
late November → late November: 21 to 30 November 2025
before the week before last → before the week before last: until 1 November 2026
what did last week's review say → last week: 9 to 15 November 2026
the Monday before July 24, 2023 → Monday before July 24, 2023: 17 July 2023
the Saturday after October 28, 2023 → Saturday after October 28, 2023: 4 November 2023
in the week before 16 November 2025 → week before 16 November 2025: 9 to 15 November 2025
over the weekend before 4th October, 2023 → weekend before 4th October, 2023: 30 September to 1 October 2023
the weekend after May 3, 2025 → weekend after May 3, 2025: 10 to 11 May 2025
last week before 23 January, 2023 → last week before 23 January, 2023: 16 to 22 January 2023
the month before June 2025 → month before June 2025: May 2025
the year after 2020 → year after 2020: 2021
the day after 31 December 2025 → day after 31 December 2025: 1 January 2026
the week before last Friday → week before last Friday: 6 to 12 November 2026
the weeks before May 2025 → before May 2025: until 30 April 2025
the last two weeks of August 2025 → August 2025: August 2025
the month before 15 June 2025 → month before 15 June 2025: 15 May to 14 June 2025
the year before 15 June 2025 → year before 15 June 2025: 15 June 2024 to 14 June 2025
the weekend before October 5, 2025 → weekend before October 5, 2025: 27 to 28 September 2025
the weekend after October 3, 2025 → weekend after October 3, 2025: 4 to 5 October 2025
the day after last night → after last night: from 18 November 2026 on
in the 90s → 90s: 1 January 1990 to 31 December 1999
in the eighties → eighties: 1 January 1980 to 31 December 1989
since the nineties → since the nineties: from 1 January 1990 on
at the weekend → at the weekend: 14 to 15 November 2026
over the weekend → over the weekend: 14 to 15 November 2026
during the weekend → during the weekend: 14 to 15 November 2026
the first Friday of May → first Friday of May: 1 May 2026
first Monday in June 2025 → first Monday in June 2025: 2 June 2025
the last Sunday of March → last Sunday of March: 29 March 2026
the second week of July → second week of July: 5 to 17 July 2026
the week of 3 May → week of 3 May: 27 April to 3 May 2026
half an hour ago → half an hour ago: 18 November 2026, 09:52 to 10:07
in the last hour → last hour: 18 November 2026, 09:30 to 10:30
a fortnight ago → a fortnight ago: 2 to 8 November 2026
Monday morning → Monday morning: 16 November 2026, 04:00 to 12:00
on Friday evening → Friday evening: 13 November 2026, 17:00 to 00:00
last Friday night → last Friday night: 13 November 2026, 18:00 to 14 November 2026, 06:00
Wednesday evening → Wednesday evening: 11 November 2026, 17:00 to 00:00
calendar week 42 → calendar week 42: 12 to 18 October 2026
week 42 of 2025 → week 42 of 2025: 13 to 19 October 2025
at the end of the month → end of the month: 21 to 31 October 2026
the beginning of the year → beginning of the year: 1 January to 30 April 2026
the start of the week → start of the week: 16 to 17 November 2026
at Easter → Easter: 3 to 6 April 2026
last Easter → last Easter: 3 to 6 April 2026
Easter 2025 → Easter 2025: 18 to 21 April 2025
on Halloween → Halloween: 31 October 2026
at Thanksgiving → Thanksgiving: 27 November 2025
on Valentine's Day → Valentine's Day: 14 February 2026
the fourth of July → fourth of July: 4 July 2026
July fourth, 2025 → July fourth, 2025: 4 July 2025
the twenty-first of June 2024 → twenty-first of June 2024: 21 June 2024
on the second of may → second of may: 2 May 2026
March first → March first: 1 March 2026
what happened on the 13th? → 13th: 13 November 2026
on the 31st → 31st: 31 October 2026
the 13th → 13th: 13 November 2026
since the 13th → since the 13th: from 13 November 2026 on
between the 3rd and the 9th → between the 3rd and the 9th: 3 to 9 November 2026
on the 13th at 10:30 → 13th at 10:30: 13 November 2026, 10:30 to 10:31
rent due on the 1st → 1st: 1 November 2026
Friday the 13th → Friday the 13th: 13 November 2026
Sunday the 13th → Sunday the 13th: 13 September 2026
pay by Friday → Friday: 13 November 2026
Dentist Tuesday 10am → Tuesday 10am: 17 November 2026, 10:00 to 11:00
Monday: dentist → Monday: 16 November 2026
notes from the 13th → 13th: 13 November 2026
around the 13th → 13th: 13 November 2026
Lunch with Ana Friday → Friday: 13 November 2026
call the bank Monday. → Monday: 16 November 2026
Lunch with Ana Fri → Fri: 13 November 2026
Tue 10:00 → Tue 10:00: 17 November 2026, 10:00 to 10:01
10 am Tues → 10 am Tues: 17 November 2026, 10:00 to 11:00
mon evening → mon evening: 16 November 2026, 17:00 to 00:00
Thu 19 Nov → Thu 19 Nov: 19 November 2026
Thu 20 Nov → Thu 20 Nov: 20 November 2025
Friday noon → Friday noon: 13 November 2026, 12:00 to 12:01
at half past ten on 28 May → at half past ten on 28 May: 28 May 2026, 10:30 to 10:31
at half past six on 28 May → at half past six on 28 May: 28 May 2026, 18:30 to 18:31
at half past seven on 28 May → at half past seven on 28 May: 28 May 2026, 07:30 to 07:31
2019年6月3日 → 2019年6月3日: 3 June 2019
`
