// Evaluated in the page: finds buttons and fields without a name.
(() =>
  [...document.querySelectorAll('button, input, textarea, select, [role=button]')]
    .filter((each) => {
      const labels = [...(each.labels ?? [])].map((label) => label.textContent).join('');
      return `${each.getAttribute('aria-label') ?? labels}${each.textContent}`.trim() === '';
    })
    .map((each) => each.outerHTML))();
