import { ask } from './ask.js'

console.log(JSON.stringify(await ask()))
