/** The program of threads in Node: of one engine, at its end of a channel, or of the engines that a server sends. */
import { type MessagePort as NodePort, parentPort, workerData } from 'node:worker_threads'
import { serveEngines, serveThread } from './inline.ts'

if (workerData === null) serveEngines(parentPort as unknown as NodePort)
else serveThread(workerData as MessagePort)
