# A Homebrew formula for a tap. At a release: put in the homepage and the sdist's address and checksum, then `brew update-python-resources tapehead`
# writes the resources, and `brew audit --strict --new tapehead` checks it.
class Tapehead < Formula
  include Language::Python::Virtualenv

  desc "Keeps the context of coding agents across compaction, /clear and crashes"
  homepage "https://example.invalid/tapehead"
  url "https://example.invalid/tapehead-0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "python@3.13"

  def install
    virtualenv_install_with_resources
  end

  def caveats
    <<~EOS
      Run `tapehead install` in a repository to add the hooks, and `tapehead uninstall` before `brew uninstall tapehead`.
    EOS
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/tapehead --version")
    system bin/"tapehead", "demo"
  end
end
