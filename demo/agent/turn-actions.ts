/** What a turn calls on its page. */
export interface TurnActions {
  showLife(id: string): void
  /** Called after the store has saved feedback. */
  learned(): void
  forgotten(ids: readonly string[]): void
}
