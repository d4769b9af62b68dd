/** The functions of the page that a turn calls. */
export interface TurnActions {
  showLife(id: string): void
  /** Called after the store has saved feedback. */
  learned(): void
  forgotten(ids: readonly string[]): void
}
