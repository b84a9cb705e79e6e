//! The channels of std, for payloads that own no Python object.

use std::sync::mpsc;

use super::channel;

channel!(mpsc::Sender<T>, mpsc::SyncSender<T>, mpsc::Receiver<T>, mpsc::IntoIter<T>);
