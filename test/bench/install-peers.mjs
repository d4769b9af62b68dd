/** `node test/bench/install-peers.mjs`: installs the bench's further peers into SCRUBJAY_BENCH_PEERS, pinned, no scripts run. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { peerPackages, peersFolder } from './peer-packages.mjs'

mkdirSync(peersFolder, { recursive: true })
const named = { private: true, description: 'Peers of a bench; may be deleted.', dependencies: peerPackages }
writeFileSync(join(peersFolder, 'package.json'), `${JSON.stringify(named, null, 2)}\n`)
const { status } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
  cwd: peersFolder,
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
if (status === 0) process.stdout.write(`installed in ${peersFolder}\n`)
process.exitCode = status ?? 1
