// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.directory;

import io.tidemark.objects.Listing;
import io.tidemark.objects.Listing.Depth;
import io.tidemark.objects.Listing.Entry;
import io.tidemark.objects.ObjectKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Listing of a directory store in the order of the keys.
 *
 * <p>Everything below a directory has a key that starts with the directory's text, so it comes
 * after that text. The walk keeps what it has seen in a queue by text and takes the first: an
 * object is the next of the listing, a directory is replaced by its entries. When there are very
 * many it is replaced by the first ones only, and read again when those have been listed. So memory
 * is bounded, whatever the shape of the tree.
 */
final class DirectoryWalk {

  private sealed interface Node {
    String text();

    record ObjectNode(String text) implements Node {}

    record DirectoryNode(String text, Path path) implements Node {}

    /** Rest of a directory after a node, when the directory was too large to be kept at once. */
    record RestNode(DirectoryNode directory, Node last) implements Node {
      @Override
      public String text() {
        return last.text();
      }
    }
  }

  /**
   * By text; of the same text a key and a directory are two things (rule 3 of the file names), and
   * so are two directories (of which one is in plain form).
   */
  private static final Comparator<Node> ORDER =
      Comparator.comparing(Node::text, ObjectKeys.ORDER)
          .thenComparing(node -> node instanceof Node.ObjectNode)
          .thenComparing(DirectoryWalk::place);

  private static String place(Node node) {
    if (node instanceof Node.RestNode rest) {
      return place(rest.last());
    }
    return node instanceof Node.DirectoryNode directory ? directory.path().toString() : "";
  }

  /** Entries of one directory; some megabytes. */
  static final int KEPT_AT_ONCE = 50_000;

  /** Looks up an object that was seen in a directory; empty when it is gone by now. */
  interface LookUp {
    Optional<Entry> find(String key) throws IOException;
  }

  private final Path root;
  private final Listing listing;
  private final DirectoryEntryReader directoryEntryReader;
  private final EmptyListingCache empty;
  private final LookUp lookUp;
  private final int keptAtOnce;
  private final PriorityQueue<Node> queue = new PriorityQueue<>(ORDER);
  private final boolean oneStart;

  /** Last listed entry: two files of a key are one object, two directories one group. */
  private String listed = "";

  DirectoryWalk(
      Path root,
      Listing listing,
      DirectoryEntryReader directoryEntryReader,
      EmptyListingCache empty,
      LookUp lookUp) {
    this(root, listing, directoryEntryReader, empty, lookUp, KEPT_AT_ONCE);
  }

  private DirectoryWalk(
      Path root,
      Listing listing,
      DirectoryEntryReader directoryEntryReader,
      EmptyListingCache empty,
      LookUp lookUp,
      int keptAtOnce) {
    this.keptAtOnce = keptAtOnce;
    this.root = root;
    this.listing = listing;
    this.directoryEntryReader = directoryEntryReader;
    this.empty = empty;
    this.lookUp = lookUp;
    String start = start(listing);
    if (!start.contains("//") && !start.startsWith("/")) {
      Stream.of(FileNames.directoryOf(start), FileNames.plainDirectoryOf(start))
          .distinct()
          .forEach(path -> queue.add(new Node.DirectoryNode(start, root.resolve(path))));
    }
    this.oneStart = queue.size() == 1;
  }

  /** Returns the directory in which every key of the listing is. */
  private static String start(Listing listing) {
    return listing.prefix().substring(0, listing.prefix().lastIndexOf('/') + 1);
  }

  /** Returns the next entry; empty at the end. */
  Optional<Entry> next() throws IOException {
    while (true) {
      Node node = queue.poll();
      if (node == null) {
        return Optional.empty();
      }
      Optional<Entry> entry =
          node instanceof Node.ObjectNode ? lookUp.find(node.text()) : open(node);
      if (entry.isPresent() && !listed.equals(node.text())) {
        listed = node.text();
        return entry;
      }
    }
  }

  private Optional<Entry> open(Node node) throws IOException {
    if (node instanceof Node.RestNode rest) {
      expand(rest.directory(), other -> ORDER.compare(other, rest.last()) > 0);
      return Optional.empty();
    }
    return enter((Node.DirectoryNode) node);
  }

  /** A directory is a group by itself, or makes way for its entries. */
  private Optional<Entry> enter(Node.DirectoryNode directory) throws IOException {
    String text = directory.text();
    boolean isGroup =
        listing.depth() == Depth.CHILDREN
            && text.endsWith("/")
            && text.length() > listing.prefix().length();
    if (!isGroup) {
      if (text.equals(start(listing))) {
        begin(directory);
      } else {
        expand(directory, node -> true);
      }
      return Optional.empty();
    }
    boolean listed = listing.isAhead(text) && holdsObject(text);
    return listed ? Optional.of(new Entry.Group(text)) : Optional.empty();
  }

  private boolean holdsObject(String prefix) throws IOException {
    Listing inside = Listing.all(prefix);
    return new DirectoryWalk(root, inside, directoryEntryReader, empty, lookUp, 1)
        .next()
        .isPresent();
  }

  /** Where the listing begins, nothing is read if there was nothing and no change since. */
  private void begin(Node.DirectoryNode directory) throws IOException {
    Optional<FileTime> changed =
        oneStart ? DirectoryEntryReader.lastChange(directory.path()) : Optional.empty();
    if (changed.filter(time -> empty.has(listing, time)).isPresent()) {
      return;
    }
    expand(directory, node -> true);
    if (queue.isEmpty()) {
      changed.ifPresent(time -> empty.add(listing, time));
    }
  }

  private void expand(Node.DirectoryNode directory, Predicate<Node> isLeft) throws IOException {
    TreeSet<Node> first = new TreeSet<>(ORDER);
    boolean[] more = {false};
    String passed = passed(directory);
    directoryEntryReader.forEach(
        directory.path(),
        name -> {
          // For a reader that polls for new keys most entries are old ones: skip them as fast as
          // possible.
          if (name.compareTo(passed) <= 0 && FileNames.isPlain(name)) {
            return;
          }
          FileNames.decode(directory.text(), name)
              .or(() -> FileNames.decodePlain(directory.text(), name))
              .map(decoded -> node(decoded, directory.path().resolve(name)))
              .filter(node -> isWanted(node) && isLeft.test(node))
              .ifPresent(
                  node -> {
                    first.add(node);
                    if (first.size() > keptAtOnce) {
                      first.pollLast();
                      more[0] = true;
                    }
                  });
        });
    queue.addAll(first);
    if (more[0]) {
      queue.add(new Node.RestNode(directory, first.last()));
    }
  }

  /** Objects of a directory whose names aren't after this one come before what is wanted. */
  private String passed(Node.DirectoryNode directory) {
    boolean inside = listing.startAfter().startsWith(directory.text());
    return inside ? listing.startAfter().substring(directory.text().length()) : "";
  }

  private static Node node(FileNames.Decoded decoded, Path path) {
    return decoded.kind() == FileNames.Kind.OBJECT
        ? new Node.ObjectNode(decoded.text())
        : new Node.DirectoryNode(decoded.text(), path);
  }

  private boolean isWanted(Node node) {
    String text = node.text();
    if (node instanceof Node.ObjectNode) {
      return text.startsWith(listing.prefix()) && listing.isAhead(text);
    }
    boolean mayHoldPrefix = text.startsWith(listing.prefix()) || listing.prefix().startsWith(text);
    boolean mayGoOnAfter =
        listing.startAfter().startsWith(text)
            || ObjectKeys.ORDER.compare(text, listing.startAfter()) > 0;
    return mayHoldPrefix && mayGoOnAfter;
  }
}
