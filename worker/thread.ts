/** The program of the engine's thread in Node. It gets its end of the channel from the thread that starts it. */
import { workerData } from 'node:worker_threads'
import { serveThread } from './inline.ts'

serveThread(workerData as MessagePort)
