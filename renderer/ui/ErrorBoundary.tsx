import { Component, type ReactNode } from 'react'
import { messageOf } from '../../engine/errors.ts'
import { Button } from './Button.tsx'

interface Props {
  /** What is drawn, as a sentence begins, e.g. `The output of 'study'`. */
  what: string
  /** A failed drawing is tried again when this changes. */
  again?: unknown
  /** Goes around the message. */
  frame?: (message: ReactNode) => ReactNode
  children: ReactNode
}

/** Shows a message in place of what cannot be drawn; all else of the page stays. */
export class ErrorBoundary extends Component<Props, { thrown: { error: unknown } | null }> {
  override state = { thrown: null as { error: unknown } | null }

  static getDerivedStateFromError(error: unknown) {
    return { thrown: { error } }
  }

  override componentDidUpdate({ again }: Props) {
    if (this.state.thrown && again !== this.props.again) this.retry()
  }

  retry = () => this.setState({ thrown: null })

  override render() {
    const { what, children, frame = (message) => message } = this.props
    const { thrown } = this.state
    return thrown ? frame(<Broken what={what} error={thrown.error} retry={this.retry} />) : children
  }
}

function Broken({ what, error, retry }: { what: string; error: unknown; retry(): void }) {
  return (
    <div className="broken" role="alert" data-testid="broken">
      <p>
        {what} cannot be shown: {messageOf(error)}
      </p>
      <p className="muted">Nothing is lost: what you have written is kept, and so are the results.</p>
      <Button look="small" onClick={retry}>
        Try again
      </Button>{' '}
      <Button look="small" onClick={() => location.reload()}>
        Reload
      </Button>
    </div>
  )
}
