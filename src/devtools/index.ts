/** The entry `scrubjay/devtools`: explanations of answers, counts of recalls, and an element that inspects a store. */

export { defineInspector, type InspectedStore, type InspectorElement } from './inspector/define-inspector.ts'
export { type Bar, type BarName, barsOf } from './report/bars.ts'
export { type ExplainOptions, explain } from './report/explain.ts'
export {
  createTelemetry,
  latencyBoundsMs,
  type Telemetry,
  type TelemetrySummary,
  withTelemetry,
} from './report/telemetry.ts'
