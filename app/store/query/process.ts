import { answerQuery, type QueryRequest } from './answer.ts'

// Answers one SQL query in a process of its own, in Node; the desktop application has app/electron/query.ts.
process.once('message', (request: QueryRequest) => {
  process.send?.(answerQuery(request), () => process.exit(0))
})
