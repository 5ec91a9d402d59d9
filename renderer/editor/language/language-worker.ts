import declarations from 'virtual:declarations'
import { connect } from '../../../engine/channel.ts'
import { workerChannel } from '../../protocol/workerChannel.ts'
import type { LanguageCalls } from './protocol.ts'
import { createLanguage } from './service/index.ts'

connect<object, LanguageCalls>(createLanguage(declarations), workerChannel(self))
