/** The entry `scrubjay/devtools`: explanations to read, and an element to look at a store with. */

export { defineInspector, type InspectedStore, type InspectorElement } from './inspector/define-inspector.ts'
export { type ExplainOptions, explain } from './report/explain.ts'
export {
  createTelemetry,
  latencyBoundsMs,
  type Telemetry,
  type TelemetrySummary,
  withTelemetry,
} from './report/telemetry.ts'
