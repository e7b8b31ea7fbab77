// Shows the schema of the API with the reader that our own server delivers.
const place = document.getElementById("reader");
window.SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  deepLinking: true,
  docExpansion: "none",
  validatorUrl: null,
});
