/** What each call adds to a link: sums are exact, and a call that was carried out twice shows in the weight. */
export const addedWeight = 2 ** -9

/** ms by which an answer to another process is late. */
export const lateMs = 10
