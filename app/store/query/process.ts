import { answerQuery, type QueryRequest } from './answer.ts'

// The process of one query in Node; app/electron/query.ts is that of the desktop.
process.once('message', (request: QueryRequest) => {
  process.send?.(answerQuery(request), () => process.exit(0))
})
