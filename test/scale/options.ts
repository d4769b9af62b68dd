/** Reads the options of the simulation; run.ts shows them. */
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '400' },
    large: { type: 'string', default: '8' },
    nodes: { type: 'string', default: '4' },
    threads: { type: 'string', default: '0' },
    clients: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    cold: { type: 'string', default: 'NaN' },
    files: { type: 'string', default: '0' },
  },
})

/** By the name of the option. `cold` is not a number where the option is absent. */
export const options = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [name, Number(value)]),
) as Record<keyof typeof values, number>
