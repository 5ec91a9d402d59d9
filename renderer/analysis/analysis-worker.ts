import { connect } from '../../engine/channel.ts'
import { workerChannel } from '../protocol/workerChannel.ts'
import { type AnalysisCalls, analysisCalls, type Reading } from './calls.ts'

const { remote: page } = connect<Reading, AnalysisCalls>(
  analysisCalls((source) => page.reading(source)),
  workerChannel(self),
)
