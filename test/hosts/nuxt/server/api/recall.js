import { ask } from '../../ask.js'

export default defineEventHandler(() => ask())
