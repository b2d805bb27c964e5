// Says what is missing, in words that every browser can run; where nothing is, site.js takes over.
(function () {
  var needs = document.getElementById("needs");
  if (location.protocol === "file:") {
    needs.textContent =
      "This page was opened as a file, and a browser lets no page run Python from there. It needs a server: in this folder, " +
      "start 'python -m http.server' and open http://localhost:8000, or put the folder on any web server.";
  } else if (typeof WebAssembly !== "object" || !("noModule" in HTMLScriptElement.prototype) || !window.ReadableStream) {
    needs.textContent = "This browser is too old to run Python: take one of the last two years.";
  } else {
    needs.hidden = true;
    var site = document.createElement("script");
    site.type = "module";
    site.src = "site.js";
    document.body.appendChild(site);
  }
})();
