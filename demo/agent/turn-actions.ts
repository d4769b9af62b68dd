/** What a turn asks of the page around it. */
export interface TurnActions {
  showLife(id: string): void
  /** The store has learned something. */
  learned(): void
  forgotten(ids: readonly string[]): void
}
