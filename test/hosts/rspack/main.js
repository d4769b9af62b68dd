import { show } from './ask.js'

await show()
