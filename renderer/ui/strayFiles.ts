/** Has files that are dropped where nothing takes them do nothing; the browser would open them in place of the page. */
export function refuseStrayFiles(): void {
  document.addEventListener('dragover', (event) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  })
}
