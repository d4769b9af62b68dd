import { registerSW } from 'virtual:pwa-register'
import { show } from './ask.js'

registerSW({ immediate: true })
await show()
