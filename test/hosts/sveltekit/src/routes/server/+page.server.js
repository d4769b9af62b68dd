import { ask } from '../../../ask.js'

export const load = async () => ({ answer: JSON.stringify(await ask()) })
