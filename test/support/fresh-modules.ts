/**
 * Runs before each test file in Node. The files share a process, because starting one for each file takes a second of
 * processor time. Here each file gets modules of its own: with them an SQLite of its own, whose memory is freed later.
 */
import { vi } from 'vitest'

vi.useRealTimers()
vi.unstubAllGlobals()
vi.restoreAllMocks()
vi.resetModules()
